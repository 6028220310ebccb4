/**
 * What a worker knows of proxies: all that its domains may use, each with its health as this worker has seen it, and
 * for each domain its ways out. Read when a domain is claimed and every few seconds from then on, so that what people
 * and other workers decide is heard; never for a page.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainSession } from '../domain-session.ts';
import type { EngineEvents } from '../events.ts';
import type { ProxyEndpoint } from '../fetch/proxy-endpoint.ts';
import { DomainExits, grantedCount, type Pair, type ProxyInUse } from './domain-exits.ts';
import { ExitHealth, type KnownHealth, PAIR_RULES, PROXY_RULES } from './exit-health.ts';
import { type GrantedRow, giveBackGrants, grantRequests, type WantedGrant } from './grants.ts';

const readProxies = loadSql(import.meta.url, './read-proxies.sql');
const readPairs = loadSql(import.meta.url, './read-pairs.sql');
const findProxies = loadSql(import.meta.url, './find-proxies.sql');

/** Shared proxies that are looked at, and those of them that one domain uses. */
const MOST_SHARED = 500;
const MOST_OF_DOMAIN = 50;
const REFRESH_MS = 2000;
/** Shorter than a grant holds in the database. */
const GRANT_MS = 60_000;
/** For so long ahead requests are granted. */
const GRANTED_AHEAD_MS = 30_000;
/** Grants of many domains are asked for together. */
const GATHERED_MS = 5;
/** What is read again and again must not be most of what is done. */
const REFRESH_SHARE = 20;
/** A proxy that is gone is taken out by the next look. */
const GONE_MS = 10_000;

export interface ProxyBookParts {
  readonly db: Database;
  readonly events: EngineEvents;
  /** What passwords are opened with; asked for with the first that is met. */
  readonly openSecrets?: (() => Promise<SecretBox>) | undefined;
}

interface ProxyRow extends KnownHealth {
  readonly id: number;
  readonly protocol: ProxyEndpoint['protocol'];
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: Buffer | null;
  readonly isShared: boolean;
  readonly countryCode: string | null;
  readonly usedAgoMs: number | null;
}

interface PairRow extends KnownHealth {
  readonly domainId: number;
  readonly mode: 'auto' | 'direct' | 'required';
  readonly country: string | null;
  readonly rotation: 'request' | 'sticky';
  /** Null: the domain has met no proxy. */
  readonly proxyId: number | null;
  readonly isAssigned: boolean;
  readonly priority: number;
  readonly responseMs: number | null;
  readonly lastError: string | null;
  readonly usedAgoMs: number | null;
}

interface KnownProxy extends ProxyInUse {
  row: ProxyRow;
}

export class ProxyBook {
  readonly #parts: ProxyBookParts;
  readonly #proxies = new Map<number, KnownProxy>();
  #secrets: Promise<SecretBox> | undefined;
  #refreshAtMs = 0;
  #wanted: WantedGrant[] = [];
  #granting: Promise<void> | undefined;
  /** How often something was written down: what was read before that is out of date. */
  #settledCount = 0;

  constructor(parts: ProxyBookParts) {
    this.#parts = parts;
  }

  /** Gives every session its ways out, or leaves it without: then it goes directly. */
  async equip(sessions: readonly DomainSession[]): Promise<void> {
    if (sessions.length === 0 || !(await this.#isConcerned(sessions))) return;
    const ids = sessions.map(({ lease }) => lease.domainId);
    const { db } = this.#parts;
    const settledBefore = this.#settledCount;
    const [proxies, pairs] = await Promise.all([
      db.query<ProxyRow>(readProxies, [ids, MOST_SHARED]),
      db.query<PairRow>(readPairs, [ids]),
    ]);
    const nowMs = now().getTime();
    const isFresh = settledBefore === this.#settledCount;
    for (const row of proxies.rows) await this.#enter(row, nowMs, isFresh);
    const shared = proxies.rows.filter(({ isShared }) => isShared);
    const pairsOf = new Map<number, PairRow[]>();
    for (const row of pairs.rows) {
      const rows = pairsOf.get(row.domainId);
      if (rows === undefined) pairsOf.set(row.domainId, [row]);
      else rows.push(row);
    }
    for (const session of sessions) {
      const rows = pairsOf.get(session.lease.domainId);
      if (rows !== undefined) this.#equip(session, rows, shared, { nowMs, isFresh });
    }
  }

  /** The same for sessions that are at work, every now and then. */
  async refreshInTime(sessions: readonly DomainSession[]): Promise<void> {
    const startedMs = monotonicMs();
    if (startedMs < this.#refreshAtMs) return;
    await this.equip(sessions);
    const tookMs = monotonicMs() - startedMs;
    this.#refreshAtMs = startedMs + Math.max(REFRESH_MS, tookMs * REFRESH_SHARE);
  }

  /** Asks for requests through those proxies of the session that are about to run out of them. */
  async grant(session: DomainSession, exits: DomainExits): Promise<void> {
    const pairs = exits.needingGrant(now().getTime());
    if (pairs.length === 0) return;
    this.#wanted.push({ domainId: session.lease.domainId, pairs, lot: exits.lot });
    this.#granting ??= this.#grantWanted();
    await this.#granting;
  }

  /** For all sessions that ask at about the same time, in one transaction. */
  async #grantWanted(): Promise<void> {
    await delay(GATHERED_MS);
    const wanted = this.#wanted;
    this.#wanted = [];
    this.#granting = undefined;
    const granted = await grantRequests(this.#parts.db, wanted);
    const nowMs = now().getTime();
    for (const { domainId, pairs } of wanted) {
      const rows = granted.get(domainId);
      for (const pair of pairs) apply(pair, rows?.get(pair.proxy.endpoint.id), nowMs);
    }
  }

  /** What a session that ends was granted and did not use. */
  async giveBack(session: DomainSession): Promise<void> {
    if (session.exits === undefined) return;
    await giveBackGrants(this.#parts.db, session.lease.domainId, session.exits.pairs);
  }

  /** What was learned about these is written down; not about those of which there is something new. */
  settle(session: DomainSession, isPending: (proxyId: number) => boolean): void {
    if (session.exits !== undefined) this.#settledCount += 1;
    for (const { proxy, health } of session.exits?.pairs ?? []) {
      if (isPending(proxy.endpoint.id)) continue;
      health.settle();
      proxy.health.settle();
    }
  }

  /** Where there is no proxy at all, and nobody insists on one, one look is enough. */
  async #isConcerned(sessions: readonly DomainSession[]): Promise<boolean> {
    if (sessions.some(({ exits }) => exits !== undefined)) return true;
    const ids = sessions.map(({ lease }) => lease.domainId);
    const { rows } = await this.#parts.db.query<{ isConcerned: boolean }>(findProxies, [ids]);
    return rows[0]?.isConcerned === true;
  }

  #equip(
    session: DomainSession,
    rows: readonly PairRow[],
    shared: readonly ProxyRow[],
    { nowMs, isFresh }: { readonly nowMs: number; readonly isFresh: boolean },
  ): void {
    const [first] = rows;
    if (first === undefined) return;
    const assigned = rows.filter(({ isAssigned }) => isAssigned);
    const pool =
      assigned.length > 0 ? assigned.flatMap(({ proxyId }) => proxyId ?? []) : idsOf(session, shared);
    // Whoever asks for a country asks for a proxy.
    const isBound = first.mode === 'required' || first.country !== null;
    if (first.mode === 'direct' || (!isBound && pool.length === 0)) {
      session.exits = undefined;
      return;
    }
    const exits = session.exits ?? makeExits(session, first);
    const known = new Map(exits.pairs.map((pair) => [pair.proxy.endpoint.id, pair]));
    const rowOf = new Map(rows.map((row) => [row.proxyId, row]));
    const pairs = pool.flatMap((id): Pair[] => {
      const proxy = this.#proxies.get(id);
      if (proxy === undefined || (first.country !== null && proxy.row.countryCode !== first.country))
        return [];
      return [refreshPair(known.get(id), proxy, rowOf.get(id), nowMs, isFresh)];
    });
    exits.replacePairs(pairs, nowMs);
    session.exits = exits;
  }

  async #enter(row: ProxyRow, nowMs: number, isFresh: boolean): Promise<void> {
    const known = this.#proxies.get(row.id);
    if (known === undefined) {
      const { endpoint, isSealed } = await this.#openEndpoint(row);
      const health = new ExitHealth(PROXY_RULES, row, nowMs);
      this.#proxies.set(row.id, { row, endpoint, isSealed, health, lastUsedMs: usedAt(row, nowMs) });
      return;
    }
    if (isOtherPlace(known.row, row)) Object.assign(known, await this.#openEndpoint(row));
    known.row = row;
    hear(known.health, row, nowMs, isFresh);
    known.lastUsedMs = Math.max(known.lastUsedMs, usedAt(row, nowMs));
  }

  async #openEndpoint(row: ProxyRow): Promise<{ endpoint: ProxyEndpoint; isSealed: boolean }> {
    const { id, protocol, host, port, username } = row;
    const opened = row.password === null ? undefined : await this.#openPassword(row, row.password);
    // Connections are told apart by it: it never leaves the process.
    const key = `${id} ${protocol}://${host}:${port} ${row.password?.toString('base64') ?? ''} ${username ?? ''}`;
    return {
      endpoint: {
        id,
        protocol,
        host,
        port,
        key,
        username: username ?? undefined,
        password: opened?.password,
      },
      isSealed: opened !== undefined && opened.password === undefined,
    };
  }

  async #openPassword({ protocol, host, port }: ProxyRow, sealed: Buffer): Promise<{ password?: string }> {
    try {
      this.#secrets ??= this.#parts.openSecrets?.();
      if (this.#secrets === undefined) throw new Error('There is no key to open passwords with.');
      return { password: (await this.#secrets).open(sealed, 'proxy') };
    } catch (error) {
      this.#secrets = undefined;
      const message = error instanceof Error ? error.message : String(error);
      this.#parts.events.emit('proxy:sealed', { proxy: `${protocol}://${host}:${port}`, message });
      return {};
    }
  }
}

/** A slow domain needs few at a time: what it is granted and does not use, others cannot have. */
function makeExits({ gate }: DomainSession, { rotation, country }: PairRow): DomainExits {
  return new DomainExits({
    isSticky: rotation === 'sticky',
    soon: gate.delayMs > 0 ? Math.ceil(GRANTED_AHEAD_MS / gate.delayMs) + 1 : Number.POSITIVE_INFINITY,
    demand: country === null ? undefined : `of ${country}`,
  });
}

/** Of very many shared ones each domain uses some, not all of them the same. */
function idsOf({ lease }: DomainSession, shared: readonly ProxyRow[]): number[] {
  const ids = shared.map(({ id }) => id).sort((a, b) => a - b);
  if (ids.length <= MOST_OF_DOMAIN) return ids;
  const start = (lease.domainId * MOST_OF_DOMAIN) % ids.length;
  return [...ids.slice(start), ...ids.slice(0, start)].slice(0, MOST_OF_DOMAIN);
}

const UNMET: KnownHealth = {
  ...{ isActive: true, isOutForFailures: false, retryInMs: null },
  ...{ failureCount: 0, outagesCount: 0, hasWorked: false },
};

function refreshPair(
  known: Pair | undefined,
  proxy: ProxyInUse,
  row: PairRow | undefined,
  nowMs: number,
  isFresh: boolean,
): Pair {
  const health = row ?? UNMET;
  if (known === undefined) {
    return {
      ...{ proxy, health: new ExitHealth(PAIR_RULES, health, nowMs), priority: row?.priority ?? 5 },
      ...{ lastUsedMs: usedAt(row, nowMs), responseMs: row?.responseMs ?? Number.POSITIVE_INFINITY },
      ...{ grants: [], limitedUntilMs: 0, believedCount: 0, lastError: row?.lastError ?? undefined },
    };
  }
  hear(known.health, health, nowMs, isFresh);
  known.priority = row?.priority ?? 5;
  known.responseMs = row?.responseMs ?? known.responseMs;
  return known;
}

/** What was read while something was being written may be out of date; what a person decides is not. */
function hear(health: ExitHealth, known: KnownHealth, nowMs: number, isFresh: boolean): void {
  const isDecided = (!known.isActive && !known.isOutForFailures) || health.state === 'off';
  if (isFresh || isDecided) health.refresh(known, nowMs);
}

function usedAt(row: { readonly usedAgoMs: number | null } | undefined, nowMs: number): number {
  return row?.usedAgoMs == null ? Number.NEGATIVE_INFINITY : nowMs - row.usedAgoMs;
}

function isOtherPlace(one: ProxyRow, other: ProxyRow): boolean {
  return (
    one.protocol !== other.protocol ||
    one.host !== other.host ||
    one.port !== other.port ||
    one.username !== other.username ||
    one.password?.toString('base64') !== other.password?.toString('base64')
  );
}

function apply(pair: Pair, granted: GrantedRow | undefined, nowMs: number): void {
  if (granted === undefined) {
    pair.limitedUntilMs = nowMs + GONE_MS;
    return;
  }
  const { minute, granted: count, freeInMs } = granted;
  if (count > 0) pair.grants.push({ minute, expiresAtMs: nowMs + GRANT_MS, count });
  else if (grantedCount(pair, nowMs) === 0)
    pair.limitedUntilMs = Math.max(pair.limitedUntilMs, nowMs + Math.max(1000, freeInMs ?? GRANT_MS));
}
