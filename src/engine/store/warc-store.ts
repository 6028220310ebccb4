/** The local body store: page bodies in WARC/1.1 segments, compressed and written by a thread of their own. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BodyLocation, BodyStore, Exchange } from './body-store.ts';
import { isWriterId } from './segment-name.ts';
import type { SegmentWriterOptions } from './segment-writer.ts';
import { StoreError, toWriteError } from './store-error.ts';
import { MAX_BODY_BYTES } from './warc-record.ts';
import { type WriteCounts, WriteQueue } from './write-queue.ts';
import { openInlineChannel, openThreadChannel, type WriterAnswer } from './writer-channel.ts';

export interface WarcStoreOptions {
  readonly directory: string;
  /** Letters, digits and underscores; distinguishes the files of writers that share the directory. */
  readonly writerId: string;
  /** Name and version for the `warcinfo` record. */
  readonly software: string;
  /** Who is writing, in whatever form `repairSegments`' `isWriterAlive` understands. */
  readonly owner?: string;
  /** The crawl's attitude to robots.txt for the `warcinfo` record. */
  readonly robots?: 'obey' | 'ignore';
  readonly maxSegmentBytes?: number;
  readonly maxSegmentAgeMs?: number;
  readonly compressionLevel?: number;
  /** `append()` waits while more than this is on its way to the file. */
  readonly maxQueuedBytes?: number;
  /** False writes in the calling thread. By default a thread is used wherever one can be started. */
  readonly thread?: boolean;
}

export interface WarcStore extends BodyStore {
  readonly directory: string;
  /** Written since the store was opened. */
  counts(): Readonly<WriteCounts>;
  readonly queuedBytes: number;
}

const MIB = 1024 * 1024;
/** Node 20 cannot start a thread from TypeScript; the built program can, and so can newer versions. */
const CAN_START_THREAD = !import.meta.url.endsWith('.ts');

export async function createWarcStore(options: WarcStoreOptions): Promise<WarcStore> {
  const writerOptions = checkOptions(options);
  const { directory } = writerOptions;
  await mkdir(directory, { recursive: true }).catch((error: unknown) => {
    throw toWriteError(error, directory);
  });
  let queue: WriteQueue | undefined;
  let closing: Promise<void> | undefined;
  const events = {
    onAnswer: (answer: WriterAnswer) => queue?.onAnswer(answer),
    onBroken: (error: StoreError) => queue?.fail(error),
  };
  const isThreaded = options.thread ?? CAN_START_THREAD;
  const channel = isThreaded
    ? await openThreadChannel(writerOptions, events)
    : openInlineChannel(writerOptions, events);
  const openQueue = new WriteQueue(channel, options.maxQueuedBytes ?? 32 * MIB);
  queue = openQueue;
  const refuse = () =>
    new StoreError('CLOSED', directory, `The page archive in ${directory} has been closed.`);

  return {
    directory,
    append(exchange: Exchange): Promise<BodyLocation> {
      if (closing) return Promise.reject(refuse());
      if (exchange.rawBody.length > MAX_BODY_BYTES) return Promise.reject(tooLarge(directory, exchange));
      return openQueue.append(exchange);
    },
    sync: () => (closing ? Promise.reject(refuse()) : openQueue.request('sync')),
    close() {
      closing ??= openQueue.request('close').finally(() => channel.end());
      return closing;
    },
    counts: () => ({ ...openQueue.counts }),
    get queuedBytes() {
      return openQueue.queuedBytes;
    },
  };
}

function checkOptions(options: WarcStoreOptions): SegmentWriterOptions {
  const directory = resolve(options.directory);
  const { maxSegmentBytes = 1024 * MIB, maxSegmentAgeMs = 3_600_000, compressionLevel = 1 } = options;
  const refuse = (what: string) => new StoreError('BAD_OPTIONS', directory, what);
  if (!isWriterId(options.writerId)) {
    throw refuse(`The writer id "${options.writerId}" is not 1 to 64 letters, digits and underscores.`);
  }
  if (!Number.isInteger(compressionLevel) || compressionLevel < 0 || compressionLevel > 9) {
    throw refuse(`The compression level ${compressionLevel} is not a whole number from 0 to 9.`);
  }
  if (!(maxSegmentBytes > 0 && maxSegmentAgeMs > 0)) throw refuse('Segment size and age must be above zero.');
  return {
    directory,
    writerId: options.writerId,
    owner: options.owner ?? '',
    software: options.software,
    robots: options.robots ?? 'obey',
    maxSegmentBytes,
    maxSegmentAgeMs,
    compressionLevel,
  };
}

function tooLarge(directory: string, exchange: Exchange): StoreError {
  const mebibytes = Math.round(exchange.rawBody.length / MIB);
  return new StoreError(
    'TOO_LARGE',
    directory,
    `The body of ${exchange.url} (${mebibytes} MiB) is too large for the page archive.`,
  );
}
