/**
 * The ways out to one domain while it is leased, and which of them the next request takes: by priority, then the one
 * that was not used for longest; with a sticky domain the one that was used last, as long as it will do.
 *
 * It decides from memory. Requests are granted by the database in lots beforehand (a proxy has its limit an hour, over
 * all domains and workers), and what came through is written down with the batch.
 */
import type { ProxyEndpoint } from '../fetch/proxy-endpoint.ts';
import { CookieJars } from './cookie-jars.ts';
import type { ExitHealth } from './exit-health.ts';

/** A proxy as every domain of this worker sees it. */
export interface ProxyInUse {
  endpoint: ProxyEndpoint;
  readonly health: ExitHealth;
  /** By our clock, for any domain; -Infinity: never. */
  lastUsedMs: number;
  /** Its password cannot be opened: it cannot be used at all. */
  isSealed: boolean;
}

/** Requests that were granted and not made yet. */
export interface Grant {
  /** As the database has it. */
  readonly minute: Date;
  readonly expiresAtMs: number;
  count: number;
}

/** A proxy as this domain sees it. */
export interface Pair {
  readonly proxy: ProxyInUse;
  readonly health: ExitHealth;
  priority: number;
  /** By our clock; -Infinity: never. */
  lastUsedMs: number;
  responseMs: number;
  /** The oldest first. */
  grants: Grant[];
  /** Its limit is reached, or it has asked for rest, until then. */
  limitedUntilMs: number;
  /** Why it failed the last time. */
  lastError: string | undefined;
  /** How often in a row it was believed, alone, that the target is not to be reached. */
  believedCount: number;
}

export interface ExitSettings {
  readonly isSticky: boolean;
  /** How many requests it makes in a while: so many are granted ahead. */
  readonly soon: number;
  /** What it must be, besides a proxy: "of DE". */
  readonly demand?: string | undefined;
}

export type Choice =
  | { readonly kind: 'exit'; readonly pair: Pair }
  /** All that will do are in use: the end of a request tells more. */
  | { readonly kind: 'busy' }
  /** More requests must be granted first. */
  | { readonly kind: 'ungranted' }
  /** Nothing will do; in so long something may. */
  | { readonly kind: 'none'; readonly waitMs: number; readonly why: string };

/** A sticky domain goes on with the proxy of its last session if that is not longer ago. */
const STICKS_FOR_MS = 30 * 60_000;
/** Requests through one proxy that are granted to a domain at a time. */
const LARGEST_LOT = 32;
/** When nobody can tell when there will be one: somebody has to do something, and wakes the domain. */
const LOOK_AGAIN_MS = 5 * 60_000;

export class DomainExits {
  readonly cookies: CookieJars | undefined;
  readonly #isSticky: boolean;
  readonly #soon: number;
  readonly #demand: string;
  #pairs: Pair[] = [];
  #current: Pair | undefined;
  #latestMs = 0;
  /** A lot has been asked for. */
  isGranting = false;

  constructor({ isSticky, soon, demand }: ExitSettings) {
    this.#isSticky = isSticky;
    this.#soon = soon;
    this.#demand = demand === undefined ? '' : ` ${demand}`;
    this.cookies = isSticky ? new CookieJars() : undefined;
  }

  /** For how many pairs requests are granted at a time. */
  get #ahead(): number {
    return this.#isSticky ? 1 : Math.max(1, Math.min(this.#pairs.length, this.#soon));
  }

  /** How many for each of them. */
  get lot(): number {
    return Math.max(1, Math.min(LARGEST_LOT, Math.ceil(this.#soon / this.#ahead)));
  }

  get pairs(): readonly Pair[] {
    return this.#pairs;
  }

  /** Whoever is not among them any more is not used any more. */
  replacePairs(pairs: readonly Pair[], nowMs: number): void {
    this.#pairs = [...pairs];
    if (!this.#isSticky || (this.#current !== undefined && pairs.includes(this.#current))) return;
    const last = this.#pairs.toSorted((a, b) => b.lastUsedMs - a.lastUsedMs)[0];
    this.#current = last !== undefined && nowMs - last.lastUsedMs < STICKS_FOR_MS ? last : undefined;
  }

  /** Which one the next request takes; those that were tried for it already are left out. */
  choose(nowMs: number, tried: ReadonlySet<Pair> = NONE): Choice {
    let first: Pair | undefined;
    let granted: Pair | undefined;
    let isBusy = false;
    for (const pair of this.#pairs) {
      if (tried.has(pair) || pair.proxy.isSealed || nowMs < pair.limitedUntilMs) continue;
      if (!pair.health.admits(nowMs) || !pair.proxy.health.admits(nowMs)) {
        isBusy ||= isWorthWaitingFor(pair.health, nowMs) && isWorthWaitingFor(pair.proxy.health, nowMs);
        continue;
      }
      if (first === undefined || this.#comesBefore(pair, first)) first = pair;
      if (grantedCount(pair, nowMs) === 0) continue;
      if (granted === undefined || this.#comesBefore(pair, granted)) granted = pair;
    }
    // One that is not its equal does not take its place only because the next lot is still to come.
    if (granted !== undefined && (granted === first || this.#areEqual(granted, first)))
      return { kind: 'exit', pair: granted };
    if (first !== undefined) return { kind: 'ungranted' };
    if (isBusy) return { kind: 'busy' };
    return this.#explainNone(nowMs);
  }

  /** It is used now. */
  take(pair: Pair, nowMs: number): void {
    // Several within a millisecond have an order, too.
    this.#latestMs = Math.max(nowMs, this.#latestMs + 0.001);
    pair.lastUsedMs = this.#latestMs;
    pair.proxy.lastUsedMs = this.#latestMs;
    const grant = pair.grants.find(({ count, expiresAtMs }) => count > 0 && nowMs < expiresAtMs);
    if (grant !== undefined) grant.count -= 1;
    pair.health.start();
    pair.proxy.health.start();
    if (this.#isSticky) this.#current = pair;
  }

  end(pair: Pair): void {
    pair.health.end();
    pair.proxy.health.end();
  }

  /** It is counted as in use again: its last request has ended, but not what is to be said about it. */
  resume(pair: Pair): void {
    pair.health.start();
    pair.proxy.health.start();
  }

  /**
   * Those for which it is time to ask for more: the next ones in order, as many as will be used in a while. What is
   * granted to one domain others cannot have, and every grant is a row.
   */
  needingGrant(nowMs: number): Pair[] {
    const next = this.#leaders(nowMs)
      .sort((a, b) => (this.#comesBefore(a, b) ? -1 : 1))
      .slice(0, this.#ahead);
    return next.filter((pair) => grantedCount(pair, nowMs) <= this.lot / 2);
  }

  /** Few of those that are next have requests left. */
  isLow(nowMs: number): boolean {
    const leaders = this.#leaders(nowMs);
    const granted = leaders.reduce((sum, pair) => sum + grantedCount(pair, nowMs), 0);
    return granted <= (Math.min(leaders.length, this.#ahead) * this.lot) / 4;
  }

  /** Those of the best priority that will do: the others are not used as long as there are such. */
  #leaders(nowMs: number): Pair[] {
    const usable = this.#pairs.filter((pair) => isUsable(pair, nowMs));
    const best = Math.min(...usable.map(({ priority }) => priority));
    const current = this.#isSticky ? usable.find((pair) => pair === this.#current) : undefined;
    return current === undefined ? usable.filter(({ priority }) => priority === best) : [current];
  }

  #areEqual(one: Pair, other: Pair | undefined): boolean {
    return one.priority === other?.priority && !(this.#isSticky && other === this.#current);
  }

  #comesBefore(one: Pair, other: Pair): boolean {
    if (this.#isSticky && one !== other) {
      if (one === this.#current) return true;
      if (other === this.#current) return false;
    }
    if (one.priority !== other.priority) return one.priority < other.priority;
    if (one.lastUsedMs !== other.lastUsedMs) return one.lastUsedMs < other.lastUsedMs;
    if (one.proxy.lastUsedMs !== other.proxy.lastUsedMs) {
      return one.proxy.lastUsedMs < other.proxy.lastUsedMs;
    }
    if (one.responseMs !== other.responseMs) return one.responseMs < other.responseMs;
    return one.proxy.endpoint.id < other.proxy.endpoint.id;
  }

  #explainNone(nowMs: number): Choice {
    const pairs = this.#pairs;
    if (pairs.length === 0) {
      const why = `it needs a proxy${this.#demand}, and there is none for it`;
      return { kind: 'none', waitMs: LOOK_AGAIN_MS, why };
    }
    const counts = new Map<string, number>();
    for (const pair of pairs) {
      const hindrance = whyNot(pair, nowMs);
      counts.set(hindrance, (counts.get(hindrance) ?? 0) + 1);
    }
    const parts = [...counts].map(([hindrance, count]) => `${count} ${hindrance}`);
    const of = this.#demand;
    const what =
      pairs.length === 1 ? `its only proxy${of} cannot` : `none of its ${pairs.length} proxies${of} can`;
    const error = pairs.findLast(({ lastError }) => lastError !== undefined)?.lastError;
    const told =
      error === undefined || !counts.has(OUT) ? '' : ` (the last: ${error.slice(0, LONGEST_ERROR)})`;
    const times = pairs.flatMap((pair) => nextTryMs(pair) ?? []);
    const atMs = times.length > 0 ? Math.min(...times) : nowMs + LOOK_AGAIN_MS;
    return {
      kind: 'none',
      waitMs: Math.max(1000, atMs - nowMs),
      why: `${what} be used: ${parts.join(', ')}${told}`,
    };
  }
}

function isUsable({ proxy, health, limitedUntilMs }: Pair, nowMs: number): boolean {
  return !proxy.isSealed && nowMs >= limitedUntilMs && health.admits(nowMs) && proxy.health.admits(nowMs);
}

function isOff({ proxy, health }: Pair): boolean {
  return health.state === 'off' || proxy.health.state === 'off';
}

function whyNot(pair: Pair, nowMs: number): string {
  if (isOff(pair)) return 'switched off';
  if (pair.proxy.isSealed) return 'with a password that this key does not open';
  if (nowMs < pair.limitedUntilMs) return 'at the limit of what may go through in an hour';
  return OUT;
}

const OUT = 'out after failures';
const LONGEST_ERROR = 200;
const NONE: ReadonlySet<Pair> = new Set();

export function grantedCount({ grants }: Pair, nowMs: number): number {
  return grants.reduce((sum, { count, expiresAtMs }) => (nowMs < expiresAtMs ? sum + count : sum), 0);
}

/** It is neither off nor cooling: what keeps it from being used is what is under way. */
function isWorthWaitingFor(health: ExitHealth, nowMs: number): boolean {
  if (health.state === 'off') return false;
  return health.state === 'in' || nowMs >= (health.retryAtMs ?? 0);
}

/** When it may be tried again; undefined: nobody knows. */
function nextTryMs(pair: Pair): number | undefined {
  if (isOff(pair) || pair.proxy.isSealed) return undefined;
  return Math.max(pair.limitedUntilMs, pair.health.retryAtMs ?? 0, pair.proxy.health.retryAtMs ?? 0);
}
