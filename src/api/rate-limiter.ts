/** How many requests somebody may send, and how many are left. */
export interface RateRule {
  /** Its name in the headers: anonymous, user, admin, bot, seed. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How one rule stands after the request. */
export interface RateStanding {
  readonly rule: RateRule;
  readonly remaining: number;
  /** Whole seconds until there is room for one more than now; 0 when there is room for all. */
  readonly resetSeconds: number;
}

export interface RateVerdict {
  readonly isAllowed: boolean;
  /** One for each rule, in their order. */
  readonly standings: readonly RateStanding[];
}

/**
 * In no window of a rule's length, wherever it begins, are more requests let through than its limit. What was refused
 * is not counted: whoever waits as long as told gets through, however impatient they were before.
 */
export interface RateLimiter {
  /** Takes one of `owner`'s requests under all of the rules, or under none if one of them has no room. */
  take(owner: string, rules: readonly RateRule[]): Promise<RateVerdict>;
  /** Where is counted: in this process, or in Redis for all of them, unless it is away. */
  readonly place: 'process' | 'redis' | 'redis-away';
  close(): Promise<void>;
}

/** The longest wait that a refusal is about: of the rules that have no room. */
export function waitSecondsOf({ standings }: RateVerdict): number {
  const waits = standings.filter(({ remaining }) => remaining === 0).map(({ resetSeconds }) => resetSeconds);
  return Math.max(1, ...waits);
}
