/**
 * Whether a way out works, told by what came through it: for a proxy as a whole, and for a proxy towards one domain.
 *
 *   in ──(so many failures in a row)──▶ out ──(cooling time over)──▶ one request at a time, the canary
 *    ▲                                   ▲                                │
 *    └───────────── it worked ───────────┼────────────────────────────────┤
 *                                        └──── it failed: cools longer ───┘
 *
 * Switched off by a person (off) it stays off until a person switches it on.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface HealthRules {
  /** Failures in a row after which it is out. */
  readonly limit: number;
  readonly firstCoolingMs: number;
  readonly longestCoolingMs: number;
}

export const PROXY_RULES: HealthRules = {
  limit: 10,
  firstCoolingMs: 5 * MINUTE_MS,
  longestCoolingMs: 2 * HOUR_MS,
};
export const PAIR_RULES: HealthRules = {
  limit: 5,
  firstCoolingMs: 10 * MINUTE_MS,
  longestCoolingMs: 6 * HOUR_MS,
};

/** After so many outages in a row: each cools twice as long as the one before. */
export function coolingMs({ firstCoolingMs, longestCoolingMs }: HealthRules, outagesBefore: number): number {
  return Math.min(longestCoolingMs, firstCoolingMs * 2 ** Math.min(outagesBefore, 30));
}

/** As the database knows it. */
export interface KnownHealth {
  readonly isActive: boolean;
  /** Out for its failures, not switched off. */
  readonly isOutForFailures: boolean;
  /** From now on; negative: it may be tried again. */
  readonly retryInMs: number | null;
  readonly failureCount: number;
  readonly outagesCount: number;
  readonly hasWorked: boolean;
}

export class ExitHealth {
  readonly #rules: HealthRules;
  #state: 'in' | 'out' | 'off' = 'in';
  #failureCount = 0;
  #outagesCount = 0;
  #retryAtMs = 0;
  #hasWorked = false;
  #inFlight = 0;
  /** What we know is not written down yet, so the database is behind. */
  #isAhead = false;

  constructor(rules: HealthRules, known?: KnownHealth, nowMs = 0) {
    this.#rules = rules;
    if (known !== undefined) this.#recall(known, nowMs);
  }

  get state(): 'in' | 'out' | 'off' {
    return this.#state;
  }

  get failureCount(): number {
    return this.#failureCount;
  }

  /** Something has come through it, whenever that was. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** When one that is out may be tried again; undefined: it is not out, or nobody knows. */
  get retryAtMs(): number | undefined {
    return this.#state === 'out' ? this.#retryAtMs : undefined;
  }

  /** Whether one more request may go through it now. */
  admits(nowMs: number): boolean {
    if (this.#state === 'off') return false;
    if (this.#state === 'out') return nowMs >= this.#retryAtMs && this.#inFlight === 0;
    // One that has failed lately, or never worked, is not asked more often at once than it may still fail.
    const isDoubtful = this.#failureCount > 0 || !this.#hasWorked;
    return !isDoubtful || this.#inFlight === 0 || this.#failureCount + this.#inFlight < this.#rules.limit;
  }

  start(): void {
    this.#inFlight += 1;
  }

  end(): void {
    this.#inFlight -= 1;
  }

  succeed(): void {
    this.#isAhead ||= this.#failureCount > 0 || this.#state === 'out';
    this.#failureCount = 0;
    this.#hasWorked = true;
    if (this.#state === 'off') return;
    this.#state = 'in';
    this.#outagesCount = 0;
  }

  fail(nowMs: number): void {
    this.#isAhead = true;
    this.#failureCount += 1;
    if (this.#state === 'off') return;
    const isCanary = this.#state === 'out' && nowMs >= this.#retryAtMs;
    if (!isCanary && (this.#state === 'out' || this.#failureCount < this.#rules.limit)) return;
    this.#state = 'out';
    this.#retryAtMs = nowMs + coolingMs(this.#rules, this.#outagesCount);
    this.#outagesCount += 1;
  }

  /** A failure that others have had as well: it is counted, but alone it does not put it out. */
  failWithOthers(): void {
    this.#isAhead = true;
    this.#failureCount = Math.max(
      this.#failureCount,
      Math.min(this.#failureCount + 1, this.#rules.limit - 1),
    );
  }

  /** What we learned is written down: from now on the database has the last word, and others may have changed it. */
  settle(): void {
    this.#isAhead = false;
  }

  /** What the database says now. While we know more than it does, only a person's decision counts. */
  refresh(known: KnownHealth, nowMs: number): void {
    const isOff = !known.isActive && !known.isOutForFailures;
    if (!this.#isAhead || isOff) this.#recall(known, nowMs);
  }

  #recall(known: KnownHealth, nowMs: number): void {
    this.#failureCount = known.failureCount;
    this.#outagesCount = known.outagesCount;
    this.#hasWorked = known.hasWorked;
    this.#state = known.isActive ? 'in' : known.isOutForFailures ? 'out' : 'off';
    this.#retryAtMs = nowMs + (known.retryInMs ?? 0);
  }
}
