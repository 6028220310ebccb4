/**
 * How the store speaks to its writer. Requests are answered in order, one answer each. The writer normally
 * lives in its own thread; the same conversation can be held within this one, which is how the store runs
 * from TypeScript sources, where Node 20 cannot start a thread.
 */
import { Worker } from 'node:worker_threads';
import { SegmentWriter, type SegmentWriterOptions, type WrittenFrame } from './segment-writer.ts';
import { type PlainStoreError, StoreError, toPlainError } from './store-error.ts';

export type WriterRequest =
  | {
      readonly kind: 'append';
      readonly frame: ArrayBuffer;
      readonly usedBytes: number;
      readonly count: number;
    }
  | { readonly kind: 'sync' }
  | { readonly kind: 'close' };

export interface WriterAnswer {
  readonly error: PlainStoreError | undefined;
  readonly written?: WrittenFrame;
  /** The frame's memory comes back to be filled again. */
  readonly frame?: ArrayBuffer;
}

export interface WriterChannel {
  send(request: WriterRequest): void;
  /** Whether unanswered requests should keep the process alive. */
  hold(isHeld: boolean): void;
  end(): Promise<void>;
}

export interface ChannelEvents {
  readonly onAnswer: (answer: WriterAnswer) => void;
  readonly onBroken: (error: StoreError) => void;
}

const AGE_CHECKS_PER_SEGMENT = 10;

/** The writer's side: answers requests, and looks after the age of its segment in between. */
export function serveWriter(options: SegmentWriterOptions) {
  const writer = new SegmentWriter(options);
  const checkEveryMs = Math.min(options.maxSegmentAgeMs / AGE_CHECKS_PER_SEGMENT, 60_000);
  const ageTimer = setInterval(() => writer.closeIfAged(), Math.max(checkEveryMs, 10));
  ageTimer.unref();
  return (request: WriterRequest): WriterAnswer => {
    if (request.kind === 'append') {
      const { frame, usedBytes, count } = request;
      const written = writer.appendFrame(Buffer.from(frame), usedBytes, count);
      return { error: plainFailure(writer), written, frame };
    }
    if (request.kind === 'sync') {
      writer.sync();
    } else {
      clearInterval(ageTimer);
      writer.close();
    }
    return { error: plainFailure(writer) };
  };
}

function plainFailure(writer: SegmentWriter): PlainStoreError | undefined {
  return writer.failure && toPlainError(writer.failure);
}

/** Resolves when the thread is ready to take requests. */
export async function openThreadChannel(
  options: SegmentWriterOptions,
  events: ChannelEvents,
): Promise<WriterChannel> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const entry = new URL(`./segment-thread.${extension}`, import.meta.url);
  const describe = (reason: string) =>
    new StoreError('THREAD_FAILED', options.directory, `The thread that writes page bodies ${reason}.`);
  const worker = new Worker(entry, { workerData: options, name: 'forager-warc', execArgv: [] });
  // The first message says that the thread is ready; until then, any ending is a failure to start.
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      worker.on('message', events.onAnswer);
      resolve();
    });
    worker.on('error', (error) => {
      reject(describe(`could not start: ${error.message}`));
      events.onBroken(describe(`failed: ${error.message}`));
    });
    worker.on('exit', (code) => {
      reject(describe(`ended at its start with code ${code}`));
      events.onBroken(describe(`ended with code ${code}`));
    });
  });
  worker.unref();
  return {
    send: (request) => worker.postMessage(request, request.kind === 'append' ? [request.frame] : []),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: async () => {
      await worker.terminate();
    },
  };
}

export function openInlineChannel(options: SegmentWriterOptions, events: ChannelEvents): WriterChannel {
  const answer = serveWriter(options);
  return {
    send: (request) => setImmediate(() => events.onAnswer(answer(request))),
    hold: () => {},
    end: async () => {},
  };
}
