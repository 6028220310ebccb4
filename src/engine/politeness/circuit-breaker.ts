/**
 * A domain's circuit breaker. Five failures in a row open it; after sixty seconds it lets
 * single requests through (half-open); two successes close it, one failure opens it again.
 */
export interface BreakerSettings {
  readonly failureThreshold: number;
  readonly openMs: number;
  readonly successesToClose: number;
}

const DEFAULT_BREAKER: BreakerSettings = {
  failureThreshold: 5,
  openMs: 60_000,
  successesToClose: 2,
};

export type BreakerState = 'closed' | 'open' | 'half-open';

export class CircuitBreaker {
  #state: BreakerState = 'closed';
  #failures = 0;
  #successes = 0;
  #openedAtMs = 0;
  #timesOpened = 0;
  readonly #settings: BreakerSettings;

  constructor(settings: BreakerSettings = DEFAULT_BREAKER) {
    this.#settings = settings;
  }

  /** When the next request may go out: now, or when an open breaker becomes half-open. */
  readyAtMs(nowMs: number): number {
    if (this.#state !== 'open') return nowMs;
    return Math.max(nowMs, this.#openedAtMs + this.#settings.openMs);
  }

  /** Half-open means: one request at a time, to see. */
  isProbing(nowMs: number): boolean {
    if (this.#state === 'open' && nowMs >= this.#openedAtMs + this.#settings.openMs) {
      this.#state = 'half-open';
      this.#successes = 0;
    }
    return this.#state === 'half-open';
  }

  recordSuccess(): void {
    this.#failures = 0;
    if (this.#state === 'closed') return;
    this.#successes += 1;
    if (this.#successes >= this.#settings.successesToClose) {
      this.#state = 'closed';
      this.#timesOpened = 0;
    }
  }

  recordFailure(nowMs: number): void {
    this.#failures += 1;
    const isTripped = this.#state === 'half-open' || this.#failures >= this.#settings.failureThreshold;
    if (!isTripped || this.#state === 'open') return;
    this.#state = 'open';
    this.#openedAtMs = nowMs;
    this.#timesOpened += 1;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** How often it has opened since it was last closed: the sign that waiting does not help. */
  get timesOpened(): number {
    return this.#timesOpened;
  }
}
