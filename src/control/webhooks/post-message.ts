/**
 * One POST, however it ends. The connection is made like those of a crawl: the name is looked up, every address is
 * vetted, and the very address that was vetted is connected to. Redirects are an answer like any other, nothing is
 * followed. Once there is a status, it counts, whatever becomes of the rest of the answer.
 */
import type { Socket } from 'node:net';
import { Client } from 'undici';
import { errorCode } from '../../engine/fetch/fetch-failure.ts';
import {
  type OpenAttempt,
  openSocket,
  type SocketOpener,
  type Target,
} from '../../engine/fetch/open-socket.ts';
import { isWebPort } from '../../engine/fetch/web-port.ts';
import { monotonicMs } from '../../platform/clock.ts';

export interface PostOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type PostResult = { readonly durationMs: number } & (
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The beginning of the body. */
      readonly answer: string;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'failure'; readonly message: string }
  /** Called off by the caller: nothing is known about it. */
  | { readonly kind: 'aborted' }
);

const MOST_ANSWER_BYTES = 4096;
const MOST_HEADER_BYTES = 16_384;

type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly answer: string;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'aborted' };

export async function postMessage(order: PostOrder, opener: SocketOpener): Promise<PostResult> {
  const startedMs = monotonicMs();
  const outcome = await run(order, opener);
  return { ...outcome, durationMs: Math.round(monotonicMs() - startedMs) };
}

async function run(order: PostOrder, opener: SocketOpener): Promise<Outcome> {
  const url = new URL(order.url);
  if (!isWebPort(url.port)) return failure(`Port ${url.port} of ${url.hostname} is not for the web.`);
  if (order.signal.aborted) return { kind: 'aborted' };
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, order.timeoutMs);
  order.signal.addEventListener('abort', end, { once: true });
  try {
    return await attempt(order, url, opener, over.signal);
  } finally {
    clearTimeout(timer);
    order.signal.removeEventListener('abort', end);
  }
}

async function attempt(
  order: PostOrder,
  url: URL,
  opener: SocketOpener,
  over: AbortSignal,
): Promise<Outcome> {
  const late = (): Outcome =>
    order.signal.aborted
      ? { kind: 'aborted' }
      : failure(`${url.host} did not answer within ${order.timeoutMs / 1000} s.`);
  const opened = await openWithin(toTarget(url), opener, over);
  if (opened === undefined) return late();
  if (opened.kind === 'failed') return failure(describeFailure(opened.failure));
  try {
    return await exchange(order, url, opened.socket, over);
  } catch (error) {
    if (over.aborted) return late();
    const code = errorCode(error);
    return failure(`${url.host} broke off before it answered${code === '' ? '' : ` (${code})`}.`);
  } finally {
    opened.socket.destroy();
  }
}

/** Undefined: the time was over first. A connection that is made after that is closed again. */
async function openWithin(target: Target, opener: SocketOpener, signal: AbortSignal) {
  const attempt: OpenAttempt = { isCancelled: false, isResolving: false, onCancel: () => undefined };
  const opening = openSocket(target, opener, attempt);
  const over = new Promise<undefined>((resolve) => {
    const end = (): void => {
      attempt.isCancelled = true;
      attempt.onCancel();
      resolve(undefined);
    };
    signal.addEventListener('abort', end, { once: true });
    void opening.finally(() => signal.removeEventListener('abort', end)).catch(() => undefined);
  });
  const first = await Promise.race([opening, over]);
  if (first !== undefined) return first;
  void opening.then((late) => late.kind === 'open' && late.socket.destroy()).catch(() => undefined);
  return undefined;
}

async function exchange(order: PostOrder, url: URL, socket: Socket, signal: AbortSignal): Promise<Outcome> {
  socket.on('error', () => undefined); // undici tells of it
  let unused: Socket | undefined = socket;
  const client = new Client(url.origin, {
    ...{ pipelining: 1, maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0 },
    // It may not open a socket of its own: that one would not be vetted.
    connect: (_options, callback) => {
      const given = unused;
      unused = undefined;
      queueMicrotask(() => {
        if (given !== undefined) callback(null, given);
        else callback(new Error('the connection ended'), null);
      });
    },
  });
  try {
    const response = await client.request({
      ...{
        method: 'POST',
        path: url.pathname + url.search,
        headers: order.headers,
        body: order.body,
        signal,
      },
    });
    const answer = await readBeginning(response.body);
    const { 'retry-after': retryAfter } = response.headers;
    return {
      ...{ kind: 'answer', status: response.statusCode, answer },
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
  } finally {
    await client.destroy().catch(() => undefined);
  }
}

/** As far as it comes: an answer that hangs, breaks off or never ends has said what it had to say in its status. */
async function readBeginning(
  body: AsyncIterable<Buffer> & { on(name: 'error', listener: () => void): unknown },
) {
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MOST_ANSWER_BYTES) break;
    }
  } catch {
    // What has come is enough.
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8').replaceAll('\0', '');
}

function toTarget(url: URL): Target {
  const isSecure = url.protocol === 'https:';
  return {
    protocol: isSecure ? 'https:' : 'http:',
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
  };
}

function describeFailure({ reason, message }: { readonly reason: string; readonly message: string }): string {
  if (reason !== 'private-address') return message;
  return message.replace(/;.*$/, '; FORAGER_ALLOW_PRIVATE lets messages be sent there.');
}

function failure(message: string): Outcome {
  return { kind: 'failure', message };
}
