/** A worker's leases: taking more of them, keeping them alive, and giving one back in the state it has earned. */
import { monotonicMs } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { DomainSession } from '../domain-session.ts';
import { nextRetryMs } from '../frontier/read-window.ts';
import type { Scope } from '../frontier/scope.ts';
import { Lanes } from '../lanes.ts';
import { claimDomains, releaseDomain, renewLeases } from './claim-domains.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { type Settlement, settleDomain } from './settle-domain.ts';

const MOST_CLAIMED_AT_ONCE = 200;
const SESSIONS_OPENED_AT_ONCE = 2;

export interface LeaseKeeperParts {
  readonly db: Database;
  readonly workerId: string;
  readonly runId: number;
  readonly settings: CrawlSettings;
  readonly scope: Scope;
  readonly maxPagesPerDomain: number | undefined;
  /** Domains given up on in this run: not to be claimed again and again. */
  readonly givenUp: Set<number>;
}

export type Release =
  /** URLs wait for their next attempt: the session goes on then. */
  | { readonly kind: 'not-yet'; readonly waitMs: number }
  | { readonly kind: 'released'; readonly status: string; readonly settlement: Settlement };

export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  /** A few queries each: hundreds at once would keep every other query waiting for a connection. */
  readonly #openings = new Lanes(SESSIONS_OPENED_AT_ONCE);
  #renewedAtMs = monotonicMs();

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  /** Claims domains for which there is room and opens a session for each. */
  async claim(room: number): Promise<OpenedSession[]> {
    const { db, workerId, runId, settings, scope, maxPagesPerDomain, givenUp } = this.#parts;
    if (room <= 0) return [];
    const claimed = await claimDomains(db, {
      ...{ runId, workerId, maxPagesPerDomain },
      leaseMs: settings.leaseMs,
      limit: Math.min(room, MOST_CLAIMED_AT_ONCE),
      excluded: givenUp,
    });
    // A seed may have redirected here before this process started: links within are in scope.
    for (const row of claimed) if (row.is_seed) scope.addSeedDomain(row.domain);
    return Promise.all(
      claimed.map((row) => this.#openings.run(() => openSession(db, row, settings, maxPagesPerDomain))),
    );
  }

  /** Commits renew the leases of busy domains; waiting ones are renewed here. Returns those that were lost. */
  async renewInTime(sessions: readonly DomainSession[]): Promise<DomainSession[]> {
    const { db, workerId, settings } = this.#parts;
    const nowMs = monotonicMs();
    if (nowMs - this.#renewedAtMs < settings.leaseMs / 3 || sessions.length === 0) return [];
    const leases = sessions.map((session) => session.lease);
    const held = await renewLeases(db, workerId, leases, settings.leaseMs);
    this.#renewedAtMs = nowMs;
    return sessions.filter((session) => !held.has(session.lease.domainId));
  }

  /**
   * The process slept (a suspended machine, a debugger) for longer than its leases last: others may hold the
   * domains by now. Nothing may be fetched until a renewal has shown which are still ours.
   */
  get isInDoubt(): boolean {
    return monotonicMs() - this.#renewedAtMs >= this.#parts.settings.leaseMs;
  }

  /** Gives a domain back, unless the frontier has something for it a little later. */
  async release(session: DomainSession, isCutShort: boolean): Promise<Release> {
    const { db, workerId, givenUp } = this.#parts;
    if (!isCutShort) {
      const waitMs = await nextRetryMs(db, session.lease.domainId);
      if (waitMs !== undefined) return { kind: 'not-yet', waitMs };
    }
    const settlement = settleDomain({ ...session.facts, isDry: !isCutShort });
    // A rest the domain asked for does not end with the session.
    const restMs = settlement.restMs ?? (session.restMs(monotonicMs()) || undefined);
    const status = await releaseDomain(db, workerId, session.lease, { ...settlement, restMs });
    if (session.earlyEnd !== undefined) givenUp.add(session.lease.domainId);
    return { kind: 'released', status: status ?? 'lost', settlement };
  }
}
