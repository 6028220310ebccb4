/**
 * The one choke point in front of a domain: page fetches, robots.txt and sitemaps all pass through it.
 *
 * It decides when the next request may start: not before the crawl delay has passed since the last one
 * reached the server, not while the domain asked for rest (Retry-After), not while the breaker is open,
 * and never more than `maxConcurrent` at once. Because the worker holds the domain's lease nobody else
 * speaks to it, so these few numbers in memory are exact.
 *
 * The delay counts from when the server *had* the request. We cannot see that moment, only bracket it: it
 * lies between handing the bytes to the socket and receiving the response's headers. The anchor is the
 * headers' arrival, but at most ARRIVAL_ALLOWANCE_MS after sending, so that a slow server costs no rate
 * until it takes longer than the delay itself: with a delay there is one request at a time.
 */
import type { FetchTiming } from '../fetch/fetch-result.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const ARRIVAL_ALLOWANCE_MS = 50;

export interface GateSettings {
  readonly delayMs: number;
  readonly maxConcurrent: number;
}

export class DomainGate {
  readonly breaker: CircuitBreaker;
  #delayMs: number;
  readonly #maxConcurrent: number;
  #inFlight = 0;
  /** Requests started whose arrival at the server is not settled yet; with a delay there is at most one. */
  #unanchored = 0;
  /** When the last request, ours or an earlier session's, reached the server. */
  #lastArrivalMs = Number.NEGATIVE_INFINITY;
  #holdUntilMs = 0;

  constructor(settings: GateSettings, breaker = new CircuitBreaker()) {
    this.#delayMs = settings.delayMs;
    this.#maxConcurrent = settings.maxConcurrent;
    this.breaker = breaker;
  }

  get delayMs(): number {
    return this.#delayMs;
  }

  /** robots.txt may ask for more than we would wait on our own, never for less; it holds from there on. */
  raiseDelay(delayMs: number): void {
    this.#delayMs = Math.max(this.#delayMs, delayMs);
  }

  /** An earlier session's last request was this long ago: the delay holds between sessions too. */
  continueAfter(idleMs: number, nowMs: number): void {
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, nowMs - idleMs);
  }

  /** The whole domain rests. */
  hold(untilMs: number): void {
    this.#holdUntilMs = Math.max(this.#holdUntilMs, untilMs);
  }

  heldUntilMs(): number {
    return this.#holdUntilMs;
  }

  /** When the next request may start; undefined while that depends on a request in flight. */
  readyAtMs(nowMs: number): number | undefined {
    const limit = this.breaker.isProbing(nowMs) ? 1 : this.#maxConcurrent;
    if (this.#inFlight >= limit) return undefined;
    if (this.#delayMs > 0 && this.#unanchored > 0) return undefined;
    const nextStartMs = this.#lastArrivalMs + this.#delayMs;
    return Math.max(nowMs, nextStartMs, this.#holdUntilMs, this.breaker.readyAtMs(nowMs));
  }

  start(): Passage {
    this.#inFlight += 1;
    this.#unanchored += 1;
    return { isAnchored: false };
  }

  /**
   * The request is known, or must be assumed, to have reached the server. `finish` does this at the
   * latest; doing it earlier lets a second request start while a slow one is still in flight.
   */
  anchor(passage: Passage, timing: Pick<FetchTiming, 'sentAtMs' | 'headersAtMs'>): void {
    if (passage.isAnchored) return;
    passage.isAnchored = true;
    this.#unanchored -= 1;
    const latestMs = timing.sentAtMs + ARRIVAL_ALLOWANCE_MS;
    const arrivedMs = Math.min(timing.headersAtMs ?? latestMs, latestMs);
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, arrivedMs);
  }

  finish(passage: Passage, timing: FetchTiming): void {
    this.anchor(passage, timing);
    this.#inFlight -= 1;
  }
}

/** One request on its way through the gate. */
export interface Passage {
  isAnchored: boolean;
}
