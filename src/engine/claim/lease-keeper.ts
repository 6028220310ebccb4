/** A worker's leases: taking more of them, keeping them alive, and giving one back in the state it has earned. */
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { DomainSession } from '../domain-session.ts';
import type { EngineEvents } from '../events.ts';
import { nextRetryMs } from '../frontier/read-window.ts';
import type { BlobStore } from '../images/blob-store.ts';
import { Lanes } from '../lanes.ts';
import { checkLeases, claimDomains, releaseDomain, renewLeases } from './claim-domains.ts';
import { type OpenedSession, openSessions } from './open-session.ts';
import { restForTasks, type Settlement, settleDomain } from './settle-domain.ts';

const findOwnTasks = loadSql(import.meta.url, '../tasks/find-own-tasks.sql');

const MOST_CLAIMED_AT_ONCE = 200;
/** Long before a domain that was reset can be claimed again. */
const CHECK_EVERY_MS = 5000;
const RELEASED_AT_ONCE = 4;
const REST_OF_FAILING_MS = 3_600_000;
/** Opened together: what is kept of robots.txt is held in memory while they are. */
const MOST_OPENED_AT_ONCE = 50;

/** What a worker may take from a domain, besides what the domain itself says. */
export interface PageLimits {
  /** The run as a whole has a limit: what is promised to one domain, others cannot have. */
  readonly isRunLimited: boolean;
  /** Of a crawl: most pages from each domain. */
  readonly maxPagesPerDomain: number | undefined;
  /** Of the standing order: pages in one turn, after which others come first. */
  readonly turnPages: number | undefined;
}

export interface LeaseKeeperParts {
  readonly db: Database;
  readonly workerId: string;
  readonly runId: number;
  readonly settings: CrawlSettings;
  readonly limits: PageLimits;
  /** Where images are kept; without it none are asked for. */
  readonly blobs?: BlobStore | undefined;
  readonly events: EngineEvents;
  /** Domains given up on in this run: not to be claimed again and again. */
  readonly givenUp: Set<number>;
}

export type Release =
  /** URLs wait for their next attempt: the session goes on then. */
  | { readonly kind: 'not-yet'; readonly waitMs: number }
  | { readonly kind: 'released'; readonly status: string; readonly settlement: Settlement };

export interface Renewal {
  readonly lost: readonly DomainSession[];
  /** Still ours, but another run has asked for them. */
  readonly wantedElsewhere: readonly DomainSession[];
  /** Their tasks wait to be taken. */
  readonly withTasks: readonly DomainSession[];
  /** Their maintenance window has begun. */
  readonly toRest: readonly DomainSession[];
}

/** For whose retries a session stays before it ends. */
export type WaitsFor = 'anything' | 'images' | 'nothing';

const NOTHING_CHANGED: Renewal = { lost: [], wantedElsewhere: [], withTasks: [], toRest: [] };

export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  /** A stop gives thousands back at once: they must not keep every other query waiting for a connection. */
  readonly #releases = new Lanes(RELEASED_AT_ONCE);
  #renewedAt = { monotonicMs: monotonicMs(), wallMs: now().getTime() };
  #checkAtMs = 0;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  /** Claims domains for which there is room and opens a session for each. */
  async claim(room: number): Promise<OpenedSession[]> {
    const { db, workerId, runId, settings, limits, givenUp } = this.#parts;
    if (room <= 0) return [];
    const claimed = await claimDomains(db, {
      ...{ runId, workerId, ...limits },
      leaseMs: settings.leaseMs,
      limit: Math.min(room, MOST_CLAIMED_AT_ONCE),
      order: settings.isClaimedByScore ? 'score' : 'arrival',
      isFair: settings.isBudgetFair,
      withImages: this.#parts.blobs !== undefined && !this.#isStanding,
      excluded: givenUp,
    });
    const opened: OpenedSession[] = [];
    for (let at = 0; at < claimed.length; at += MOST_OPENED_AT_ONCE) {
      opened.push(...(await openSessions(db, claimed.slice(at, at + MOST_OPENED_AT_ONCE), settings)));
    }
    return opened;
  }

  /**
   * Commits renew the leases of busy domains; waiting ones are renewed here. In between they are looked at: who
   * was fenced (a reset, a longer sleep than it knew) learns of it in seconds, not at its next commit.
   */
  async renewInTime(sessions: readonly DomainSession[]): Promise<Renewal> {
    const { settings } = this.#parts;
    if (this.#silenceMs >= settings.leaseMs / 3) return this.#renew(sessions);
    if (monotonicMs() < this.#checkAtMs || sessions.length === 0) return NOTHING_CHANGED;
    return this.#check(sessions);
  }

  async #renew(sessions: readonly DomainSession[]): Promise<Renewal> {
    const { db, workerId, runId, settings } = this.#parts;
    const startedAt = { monotonicMs: monotonicMs(), wallMs: now().getTime() };
    const leases = sessions.map((session) => session.lease);
    const held = await renewLeases(db, workerId, leases, settings.leaseMs);
    this.#renewedAt = startedAt;
    const queueOf = (session: DomainSession): number | undefined => held.get(session.lease.domainId)?.run_id;
    return {
      lost: sessions.filter((session) => queueOf(session) === undefined),
      wantedElsewhere: sessions.filter((session) => (queueOf(session) ?? runId) !== runId),
      ...{ withTasks: [], toRest: [] },
    };
  }

  async #check(sessions: readonly DomainSession[]): Promise<Renewal> {
    const { db, workerId, runId } = this.#parts;
    this.#checkAtMs = monotonicMs() + CHECK_EVERY_MS;
    const leases = sessions.map((session) => session.lease);
    const changed = await checkLeases(db, workerId, leases, runId);
    const changeOf = (session: DomainSession) => changed.get(session.lease.domainId);
    const isLost = (session: DomainSession) => changeOf(session)?.is_lost === true;
    const held = sessions.filter((session) => !isLost(session));
    await this.#checkTasks(held);
    const toRest = held.filter((session) => this.#leaveAlone(session, changeOf(session)?.maintenance_ms));
    return {
      lost: sessions.filter(isLost),
      toRest,
      wantedElsewhere: held.filter((session) => changeOf(session)?.is_wanted === true),
      withTasks: this.#isStanding ? held.filter((session) => changeOf(session)?.has_tasks === true) : [],
    };
  }

  /** What somebody has paused or cancelled meanwhile is not asked for any more. */
  async #checkTasks(sessions: readonly DomainSession[]): Promise<void> {
    const { db, workerId, events } = this.#parts;
    const ids = sessions.flatMap(({ tasksInHand }) => tasksInHand.flatMap(({ task }) => task?.id ?? []));
    if (ids.length === 0) return;
    const { rows } = await db.query<{ id: number }>(findOwnTasks, [workerId, numberArray(ids)]);
    const asked = new Set(ids);
    const ours = new Set(rows.map(({ id }) => id));
    for (const session of sessions) {
      const dropped = session.keepTasks((id) => ours.has(id) || !asked.has(id));
      if (dropped > 0) events.emit('tasks:dropped', { domain: session.lease.domain, tasks: dropped });
    }
  }

  /** Its maintenance window has begun: it rests until the end of it. */
  #leaveAlone(session: DomainSession, restMs: number | null | undefined): boolean {
    if (restMs === null || restMs === undefined) return false;
    session.earlyEnd ??= { status: 'active', code: 'maintenance', reason: 'maintenance window', restMs };
    return true;
  }

  /** By whichever clock has moved more: the monotonic one stands still while a machine is suspended. */
  get #silenceMs(): number {
    return Math.max(monotonicMs() - this.#renewedAt.monotonicMs, now().getTime() - this.#renewedAt.wallMs);
  }

  /**
   * The process slept (a suspended machine, a debugger) for so long that a request begun now might outlive its
   * leases, or that others hold the domains by now. Nothing may be fetched until a renewal has shown which are
   * still ours.
   */
  get isInDoubt(): boolean {
    const { leaseMs, requestTimeoutMs } = this.#parts.settings;
    return this.#silenceMs >= Math.max(leaseMs / 2, leaseMs - requestTimeoutMs);
  }

  /** The standing order has no end to wait for: what was given up without a rest would be claimed at once. */
  #restOfFailing(session: DomainSession): number | undefined {
    return this.#isStanding && session.earlyEnd !== undefined ? REST_OF_FAILING_MS : undefined;
  }

  get #isStanding(): boolean {
    return this.#parts.limits.turnPages !== undefined;
  }

  /**
   * Gives a domain back, unless the frontier has something for it a little later: a retry of whatever it is, or of an
   * image where its pages are used up.
   */
  release(session: DomainSession, isCutShort: boolean, waitsFor: WaitsFor): Promise<Release> {
    return this.#releases.run(() => this.#release(session, isCutShort, waitsFor));
  }

  async #release(session: DomainSession, isCutShort: boolean, waitsFor: WaitsFor): Promise<Release> {
    const { db, workerId, givenUp, settings } = this.#parts;
    const { domainId } = session.lease;
    if (waitsFor !== 'nothing') {
      const waitMs = await nextRetryMs(db, domainId, waitsFor);
      if (waitMs !== undefined) return { kind: 'not-yet', waitMs };
    }
    const settled = settleDomain({ ...session.facts, isDry: !isCutShort });
    const settlement = session.isExplored ? settled : restForTasks(settled);
    // A rest the domain asked for does not end with the session.
    const restMs = settlement.restMs ?? (session.restMs(monotonicMs()) || this.#restOfFailing(session));
    const terms = {
      hasYielded: session.budget.isSpent && session.earlyEnd === undefined,
      leastRestMs: settings.refresh.floorSeconds * 1000,
      isTracked: settings.isDomainTracked,
      throttleCount: session.consecutiveThrottles,
      hasTasks: session.hasTakenTasks,
    };
    const status = await releaseDomain(db, workerId, session.lease, { ...settlement, restMs }, terms);
    if (session.earlyEnd !== undefined && !this.#isStanding) givenUp.add(domainId);
    return { kind: 'released', status: status ?? 'lost', settlement };
  }
}
