/** Who holds which domains, and what waits for somebody to take it. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainStatus } from './list-domains.ts';

const countClaims = loadSql(import.meta.url, './count-claims.sql');
const countExpired = loadSql(import.meta.url, './count-expired-claims.sql');
const countUnclaimed = loadSql(import.meta.url, './count-unclaimed.sql');

export interface WorkerClaims {
  readonly worker: string;
  readonly domains: number;
  readonly earliestExpiry: Date;
  readonly expiresInSeconds: number;
}

export interface UnclaimedDomains {
  readonly status: DomainStatus;
  /** May be claimed now. */
  readonly ready: number;
  /** In the queue of a crawl that was stopped: no worker takes them. */
  readonly inStoppedCrawls: number;
  readonly resting: number;
  readonly firstWakesAt: Date | null;
  /** Their automatic retries are used up. */
  readonly needReset: number;
  readonly switchedOff: number;
}

export interface ClaimsReport {
  readonly claims: readonly WorkerClaims[];
  /** Leases that ran out and were not freed yet: whoever claims next gets them. */
  readonly expired: { readonly domains: number; readonly oldestExpiry: Date | null };
  readonly unclaimed: readonly UnclaimedDomains[];
}

export async function readClaims(db: Database): Promise<ClaimsReport> {
  const [claims, expired, unclaimed] = await Promise.all([
    db.query<WorkerClaims>(countClaims),
    db.query<ClaimsReport['expired']>(countExpired),
    db.query<UnclaimedDomains>(countUnclaimed),
  ]);
  return {
    claims: claims.rows,
    expired: expired.rows[0] ?? { domains: 0, oldestExpiry: null },
    unclaimed: unclaimed.rows,
  };
}
