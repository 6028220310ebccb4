/** How many requests somebody may send, and how many are left. */
export interface RateRule {
  /** Its name in the headers: anonymous, user, admin, bot, seed. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until there is room for at least one more (when refused), or for all of them again. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Takes one of `owner`'s requests under the rule. */
  take(owner: string, rule: RateRule): Promise<RateVerdict>;
  close(): Promise<void>;
}
