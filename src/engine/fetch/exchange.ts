/**
 * One request and its answer, from asking for a connection to the FetchResult. It ends exactly once, in
 * `#end`, whichever comes first: the answer, a failure, the deadline or the caller's signal; whatever
 * arrives after that is ignored.
 *
 *   waiting → sent → answered → ended        (sent → waiting once, when a kept connection proves dead)
 */
import type { Dispatcher } from 'undici';
import { monotonicMs } from '../../platform/clock.ts';
import { BodyReader, type ReadBody } from './body-reader.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool, ConnectionUser } from './connection-pool.ts';
import {
  classifyBrokenAnswer,
  describeProxyTimeout,
  describeTimeout,
  type ExchangeStage,
  type FetchFailure,
  fail,
} from './fetch-failure.ts';
import type { FetchRequest, FetchResult, FetchTiming, RawHeaders, ResponseHead } from './fetch-result.ts';
import { findProxyFailure } from './proxy-answer.ts';
import { proxyName } from './proxy-name.ts';
import { buildRequestHeaders } from './request-headers.ts';
import {
  contentLength,
  DRAIN_MAX_BYTES,
  describeTooLarge,
  type Ending,
  planResponse,
  type ResponsePlan,
} from './response-plan.ts';
import type { OpenAttempt } from './socket-opening.ts';

/** How long the rest of a body that nobody needs may take before its connection is given up. */
const DRAIN_MS = 1_000;

export class Exchange implements ConnectionUser, Dispatcher.DispatchHandler {
  readonly attempt: OpenAttempt = { isCancelled: false, isResolving: false, onCancel: () => {} };
  readonly #request: FetchRequest;
  readonly #url: URL;
  readonly #findPool: () => ConnectionPool;
  readonly #deliver: (result: FetchResult) => void;
  readonly #startedAtMs = monotonicMs();
  #timer: NodeJS.Timeout;
  #pool: ConnectionPool;
  #connection: Connection | undefined;
  #sentAtMs: number | undefined;
  #headersAtMs: number | undefined;
  #hasAnswerBegun = false;
  #hasRetried = false;
  #isBodyDone = false;
  #hasEnded = false;
  #head: ResponseHead | undefined;
  #plan: ResponsePlan | undefined;
  #reader: BodyReader | undefined;
  #drainedBytes = 0;

  constructor(
    request: FetchRequest,
    url: URL,
    findPool: () => ConnectionPool,
    deliver: (result: FetchResult) => void,
  ) {
    this.#request = request;
    this.#url = url;
    this.#findPool = findPool;
    this.#deliver = deliver;
    this.#timer = setTimeout(() => this.#onDeadline(), request.timeoutMs);
    this.#pool = findPool();
  }

  start(): void {
    this.#pool.acquire(this);
  }

  /** Ends the exchange from outside: the caller's signal, or the fetcher closing. */
  abort(message: string): void {
    this.#endAsFailure(fail('aborted', message));
  }

  onConnection(connection: Connection): void {
    this.#connection = connection;
    this.attempt.hasMetProxy = this.#request.via !== undefined;
    this.attempt.isAtProxy = false;
    const { pathname, search } = this.#url;
    connection.dispatch(pathname + search, buildRequestHeaders(this.#request), this);
  }

  onConnectFailure(failure: FetchFailure): void {
    this.#endAsFailure(failure);
  }

  /** undici calls this immediately before it writes the request to the connected socket. */
  onRequestStart(): void {
    this.#sentAtMs = monotonicMs();
  }

  onResponseStarted(): void {
    this.#hasAnswerBegun = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#hasEnded || status < 200) return; // 1xx: the answer proper is still to come
    this.#headersAtMs = monotonicMs();
    const plan = this.#planAnswer(status, toStrings(controller.rawHeaders));
    this.#plan = plan;
    if (plan.kind === 'read') {
      this.#reader = new BodyReader(plan, () => this.#finishBody());
    } else if (plan.mayDrain) {
      clearTimeout(this.#timer);
      const leftMs = this.#request.timeoutMs - (monotonicMs() - this.#startedAtMs);
      this.#timer = setTimeout(() => this.#onDeadline(), Math.min(leftMs, DRAIN_MS));
    } else {
      this.#endAs(plan.ending);
    }
  }

  #planAnswer(status: number, headers: RawHeaders): ResponsePlan {
    const { via } = this.#request;
    if (via !== undefined && this.#connection?.isForwarded === true) {
      const failure = findProxyFailure(via, this.#url.host, status, headers);
      if (failure) return { kind: 'end', ending: { kind: 'failure', failure }, mayDrain: true };
    }
    this.#head = { status, headers, remoteAddress: this.#connection?.address };
    return planResponse(this.#request, this.#url, status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded || this.#isBodyDone || !this.#plan) return;
    if (this.#plan.kind === 'end') {
      this.#drainedBytes += chunk.length;
      if (this.#drainedBytes > DRAIN_MAX_BYTES) this.#endAs(this.#plan.ending);
      return;
    }
    this.#reader?.push(chunk);
  }

  onResponseEnd(): void {
    this.#giveBackConnection();
    if (this.#hasEnded || !this.#plan) return;
    if (this.#plan.kind === 'end') this.#endAs(this.#plan.ending);
    else this.#finishBody();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#hasEnded || this.#isBodyDone) return;
    if (this.#mayRetry()) {
      this.#retry();
      return;
    }
    const failure = classifyBrokenAnswer(error, {
      host: this.#url.host,
      contentLength: this.#head ? contentLength(this.#head.headers) : undefined,
      receivedBytes: this.#reader?.receivedBytes ?? 0,
      hasHeaders: this.#head !== undefined,
    });
    this.#endBroken(failure);
  }

  /**
   * A server may close a kept connection at the moment it is used again (RFC 9112 §9.3.1): that says
   * nothing about the page, so a request that got no byte of answer is sent once more.
   */
  #mayRetry(): boolean {
    return !this.#hasRetried && !this.#hasAnswerBegun && (this.#connection?.exchangeCount ?? 0) > 1;
  }

  #retry(): void {
    this.#hasRetried = true;
    this.#sentAtMs = undefined;
    this.#dropConnection();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#onDeadline(), this.#request.timeoutMs);
      this.#pool = this.#findPool();
      this.#pool.acquireFresh(this);
    }, this.#request.repeatDelayMs ?? 0);
  }

  #onDeadline(): void {
    const { via, timeoutMs } = this.#request;
    if (via !== undefined && this.attempt.isAtProxy === true) {
      this.#endBroken(describeProxyTimeout(proxyName(via), timeoutMs));
      return;
    }
    let stage: ExchangeStage = 'connect';
    if (this.#head) stage = 'body';
    else if (this.#sentAtMs !== undefined) stage = 'headers';
    else if (this.attempt.isResolving) stage = 'resolve';
    this.#endBroken(describeTimeout(stage, this.#url.host, timeoutMs));
  }

  /** The answer broke off. Often what is known is enough; but a page that is not whole is not a page. */
  #endBroken(failure: FetchFailure): void {
    if (this.#plan?.kind === 'end') this.#endAs(this.#plan.ending);
    else if (this.#plan?.isStatusEnough && !this.#isBodyDone) this.#finishBody(true);
    else this.#endAsFailure(failure);
  }

  #finishBody(isCutShort = false): void {
    if (this.#hasEnded || this.#isBodyDone || !this.#reader) return;
    this.#isBodyDone = true;
    const read = this.#reader.finish();
    if (read instanceof Promise) {
      // Only a decoder is still at work: the connection can go, the deadline goes on.
      this.#dropConnection();
      void read.then((done) => this.#endWithBody(done, isCutShort));
    } else {
      this.#endWithBody(read, isCutShort);
    }
  }

  #endWithBody(read: ReadBody, isCutShort: boolean): void {
    if (this.#plan?.kind !== 'read' || !this.#head) return;
    const { isStatusEnough, maxBytes } = this.#plan;
    const { rawBody } = read;
    if (read.kind === 'too-large') {
      this.#endAsFailure(describeTooLarge(this.#url.host, maxBytes));
    } else if (read.kind === 'bad-encoding' && !isStatusEnough) {
      this.#endAsFailure(fail('bad-encoding', read.message));
    } else if (read.kind === 'bad-encoding') {
      this.#endAsResponse(this.#head, rawBody, Buffer.alloc(0), true);
    } else if (read.kind === 'not-html') {
      this.#endAs({ kind: 'unwanted-type', contentType: '' });
    } else {
      this.#endAsResponse(this.#head, rawBody, read.body, isCutShort || read.isTruncated);
    }
  }

  #endAsResponse(head: ResponseHead, rawBody: Buffer, body: Buffer, isTruncated: boolean): void {
    const { status, headers, remoteAddress } = head;
    const timing = this.#timing();
    this.#end({ kind: 'response', status, headers, remoteAddress, rawBody, body, isTruncated, timing });
  }

  #endAs(ending: Ending): void {
    if (ending.kind === 'failure') this.#endAsFailure(ending.failure);
    else if (this.#head) this.#end({ ...ending, ...this.#head, timing: this.#timing() });
  }

  #endAsFailure({ reason, message }: FetchFailure): void {
    this.#end({ kind: 'failure', reason, message, status: this.#head?.status, timing: this.#timing() });
  }

  #end(result: FetchResult): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#reader?.destroy();
    if (this.#connection) this.#dropConnection();
    else this.#pool.cancel(this);
    const { via } = this.#request;
    this.#deliver(via !== undefined && this.attempt.hasMetProxy ? { ...result, proxyId: via.id } : result);
  }

  /** The answer is complete: undici still has a few steps to do on this stack before the socket is free. */
  #giveBackConnection(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) queueMicrotask(() => this.#pool.release(connection));
  }

  /** The answer is not complete: nothing sensible can follow on this connection. */
  #dropConnection(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) this.#pool.discard(connection);
  }

  #timing(): FetchTiming {
    const sentAtMs = this.#sentAtMs ?? this.#startedAtMs;
    return { sentAtMs, headersAtMs: this.#headersAtMs, durationMs: monotonicMs() - this.#startedAtMs };
  }
}

/** Headers are bytes; latin1 keeps each of them, and whoever reads a header decides what it meant. */
function toStrings(rawHeaders: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(rawHeaders)) return [];
  return rawHeaders.map((part) => part.toString('latin1'));
}
