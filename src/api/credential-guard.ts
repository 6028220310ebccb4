/**
 * Keys and cookies that are wrong must not cost a question to the database each, for as long as somebody likes to send
 * them. Wrong ones are counted by network; when there were too many, only what was right a moment ago is looked at from
 * there: whoever is logged in behind the same address goes on. Those that are just being looked at count as well, or a
 * thousand that come at once would all be looked at.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Principal } from '../control/access/principal.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type Credential, identify, principalOfNobody, readCredential } from './authenticate.ts';
import { networkOf } from './client-address.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { type RateRule, waitSecondsOf } from './rate-limiter.ts';
import { Refusal } from './refusal.ts';

const WINDOW_SECONDS = 60;
const RECENT_MS = 60_000;
const MOST_RECENT = 10_000;

export class CredentialGuard {
  readonly #db: Database;
  readonly #rule: RateRule;
  readonly #readMs: () => number;
  readonly #wrong;
  /** Lookups under way, by network; only of what is not known to be right. */
  readonly #underWay = new Map<string, number>();
  /** Hashes of what was right, with the time until which that counts, the oldest first. */
  readonly #recent = new Map<string, number>();

  constructor(db: Database, mostWrong: number, readMs: () => number = monotonicMs) {
    this.#db = db;
    this.#rule = { name: 'bad-credentials', limit: mostWrong, windowSeconds: WINDOW_SECONDS };
    this.#readMs = readMs;
    this.#wrong = createMemoryRateLimiter(readMs);
  }

  /** How much is remembered. */
  get size(): number {
    return this.#recent.size + this.#underWay.size + this.#wrong.size;
  }

  async authenticate(request: Pick<FastifyRequest, 'headers' | 'address'>): Promise<Principal> {
    const credential = readCredential(request);
    if (credential === undefined) return ANONYMOUS;
    const network = networkOf(request.address);
    const name = nameOf(credential);
    const principal = this.#wasRight(name)
      ? await identify(this.#db, credential)
      : await this.#lookUpStranger(network, credential);
    // To the end of the line, or out of it.
    this.#recent.delete(name);
    if (principal === undefined) {
      this.#wrong.takeNow(network, [this.#rule]);
      return principalOfNobody(credential);
    }
    this.#recent.set(name, this.#readMs() + RECENT_MS);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > MOST_RECENT && oldest !== undefined) this.#recent.delete(oldest);
    return principal;
  }

  #wasRight(name: string): boolean {
    return (this.#recent.get(name) ?? 0) > this.#readMs();
  }

  async #lookUpStranger(network: string, credential: Credential): Promise<Principal | undefined> {
    const underWay = this.#underWay.get(network) ?? 0;
    this.#refuseFlood(network, underWay);
    this.#underWay.set(network, underWay + 1);
    try {
      return await identify(this.#db, credential);
    } finally {
      const left = (this.#underWay.get(network) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(network);
      else this.#underWay.set(network, left);
    }
  }

  #refuseFlood(network: string, underWay: number): void {
    const verdict = this.#wrong.peekNow(network, [this.#rule]);
    if (!verdict.isAllowed) {
      const seconds = waitSecondsOf(verdict);
      throw new Refusal(
        'rate-limited',
        `Too many wrong keys or sessions came from this address ("${this.#rule.name}").`,
        {
          hint: `wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, as Retry-After says`,
          headers: { 'retry-after': String(seconds) },
        },
      );
    }
    // Whether they are wrong nobody knows yet: this is no reproach.
    if (underWay < (verdict.standings[0]?.remaining ?? 0)) return;
    throw new Refusal('overloaded', 'Too many keys and sessions of this address are being looked up.', {
      hint: 'try again in a moment',
      headers: { 'retry-after': '1' },
    });
  }
}

/** Not the token itself: what is remembered should be of no use to whoever gets to see it. */
function nameOf({ kind, token }: Credential): string {
  return createHash('sha256').update(`${kind} ${token}`).digest('base64');
}
