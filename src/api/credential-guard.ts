/**
 * Keys and cookies that are wrong must not cost a question to the database each, for as long as somebody likes to send
 * them. One that was wrong is believed to be so for a second, and counted once a minute: a browser with a session that
 * is over sends it with everything, and an account may be switched on again.
 * Different wrong ones are counted by network; when there were too many, only what was right a moment ago is looked at
 * from there: whoever is logged in behind the same address goes on, and whoever logs in is. Those that are just being
 * looked at count as well, or a thousand that come at once would all be looked at.
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
const REMEMBERED_MS = 60_000;
const BELIEVED_WRONG_MS = 1000;
const MOST_REMEMBERED = 10_000;

export class CredentialGuard {
  readonly #db: Database;
  readonly #rule: RateRule;
  readonly #wrong;
  /** Lookups under way, by network; only of what is not known to be right. */
  readonly #underWay = new Map<string, number>();
  readonly #right: RecentNames;
  readonly #knownWrong: RecentNames;
  readonly #counted: RecentNames;

  constructor(db: Database, mostWrong: number, readMs: () => number = monotonicMs) {
    this.#db = db;
    this.#rule = { name: 'bad-credentials', limit: mostWrong, windowSeconds: WINDOW_SECONDS };
    this.#right = new RecentNames(REMEMBERED_MS, readMs);
    this.#knownWrong = new RecentNames(BELIEVED_WRONG_MS, readMs);
    this.#counted = new RecentNames(REMEMBERED_MS, readMs);
    this.#wrong = createMemoryRateLimiter(readMs);
  }

  /** How much is remembered. */
  get size(): number {
    const remembered = [this.#right, this.#knownWrong, this.#counted, this.#underWay, this.#wrong];
    return remembered.reduce((sum, { size }) => sum + size, 0);
  }

  /** This one was just made: it is right. */
  admit(credential: Credential): void {
    this.#right.add(nameOf(credential));
  }

  async authenticate(request: Pick<FastifyRequest, 'headers' | 'address'>): Promise<Principal> {
    const credential = readCredential(request);
    if (credential === undefined) return ANONYMOUS;
    const network = networkOf(request.address);
    const name = nameOf(credential);
    if (this.#knownWrong.has(name)) return principalOfNobody(credential);
    const principal = this.#right.has(name)
      ? await identify(this.#db, credential)
      : await this.#lookUpStranger(network, credential);
    if (principal !== undefined) {
      this.#right.add(name);
      return principal;
    }
    this.#right.delete(name);
    this.#knownWrong.add(name);
    if (!this.#counted.has(name)) this.#wrong.takeNow(network, [this.#rule]);
    this.#counted.add(name);
    return principalOfNobody(credential);
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

/** Names that count for a while, so many at most: the oldest go first. */
class RecentNames {
  readonly #lastMs: number;
  readonly #readMs: () => number;
  readonly #until = new Map<string, number>();

  constructor(lastMs: number, readMs: () => number) {
    this.#lastMs = lastMs;
    this.#readMs = readMs;
  }

  get size(): number {
    return this.#until.size;
  }

  has(name: string): boolean {
    return (this.#until.get(name) ?? 0) > this.#readMs();
  }

  add(name: string): void {
    // To the end of the line.
    this.#until.delete(name);
    this.#until.set(name, this.#readMs() + this.#lastMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MOST_REMEMBERED && oldest !== undefined) this.#until.delete(oldest);
  }

  delete(name: string): void {
    this.#until.delete(name);
  }
}

/** Not the token itself: what is remembered should be of no use to whoever gets to see it. */
function nameOf({ kind, token }: Credential): string {
  return createHash('sha256').update(`${kind} ${token}`).digest('base64');
}
