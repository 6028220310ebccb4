/** A subscriber of the server's events. Everything it is sent is held against the contract. */
import { expect, onTestFinished } from 'vitest';
import { type LiveEvent, liveEvent } from '../../src/contract/live.ts';

export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: LiveEvent;
  readonly atMs: number;
}

export interface LiveSubscriber {
  readonly response: Response;
  readonly received: readonly ReceivedEvent[];
  /** Lines that are no events: signs of life. */
  readonly comments: readonly string[];
  /** The first that fits, of those that came or of those to come; fails when the stream ends before. */
  await<T extends LiveEvent['type']>(
    type: T,
    fits?: (event: Extract<LiveEvent, { type: T }>) => boolean,
  ): Promise<ReceivedEvent & { event: Extract<LiveEvent, { type: T }> }>;
  /** The id a browser would send when it reconnects. */
  lastId(): string;
  readonly closed: Promise<void>;
  hangUp(): void;
}

export interface SubscribeOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Resolves when the stream says hello: what happens from then on arrives. */
export async function subscribeTo(base: string, options: SubscribeOptions = {}): Promise<LiveSubscriber> {
  const url = new URL('/api/events', base);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(url, { headers: options.headers ?? {}, signal: stop.signal });
  expect(response.status, await textOfRefusal(response)).toBe(200);
  const received: ReceivedEvent[] = [];
  const comments: string[] = [];
  const watchers = new Set<() => void>();
  let isClosed = false;
  const reading = readStream(response, (block) => {
    const lines = block.split('\n');
    for (const line of lines) if (line.startsWith(':')) comments.push(line);
    const fields = new Map(lines.map((line) => [line.split(': ', 1)[0] ?? '', line.replace(/^\w+: /, '')]));
    const data = fields.get('data');
    if (data !== undefined) {
      const parsed: unknown = JSON.parse(data);
      const event = liveEvent.parse(parsed);
      // Nothing in it that is not promised.
      expect(event).toEqual(parsed);
      expect(fields.get('event')).toBe(event.type);
      received.push({ id: fields.get('id'), event, atMs: performance.now() });
    }
    for (const watcher of [...watchers]) watcher();
  });
  const closed = reading
    .catch((error: unknown) => {
      if (!stop.signal.aborted && !isHangUp(error)) throw error;
    })
    .finally(() => {
      isClosed = true;
      for (const watcher of [...watchers]) watcher();
    });
  closed.catch(() => undefined);
  const subscriber: LiveSubscriber = {
    ...{ response, received, comments, closed },
    await: (type, fits = () => true) =>
      new Promise((resolve, reject) => {
        const watcher = (): void => {
          const found = received.find(({ event }) => event.type === type && fits(event as never));
          if (found === undefined && !isClosed) return;
          watchers.delete(watcher);
          if (found !== undefined) resolve(found as never);
          else
            reject(
              new Error(`The stream ended without such an event (${type}): ${JSON.stringify(received)}`),
            );
        };
        watchers.add(watcher);
        watcher();
      }),
    lastId: () => received.flatMap(({ id }) => id ?? []).at(-1) ?? '',
    hangUp: () => stop.abort(),
  };
  await subscriber.await('hello');
  return subscriber;
}

async function textOfRefusal(response: Response): Promise<string> {
  return response.status === 200 ? '' : response.clone().text();
}

/** The server has cut the connection, as it does with whoever does not read. */
function isHangUp(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'terminated';
}

async function readStream(response: Response, onBlock: (block: string) => void): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) onBlock(block);
  }
}
