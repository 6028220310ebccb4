/** Leases: taking domains, keeping them, giving them back. */
import type { Database, Rows } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { Lease } from '../visit.ts';
import type { Settlement } from './settle-domain.ts';
import { isWorkerGone } from './worker-identity.ts';

const claim = loadSql(import.meta.url, './claim-domains.sql');
/**
 * The index has the domains in the order in which they are claimed. Without statistics the planner takes the
 * tables for small, and would read and sort every domain there is.
 */
export const inIndexOrder =
  'set local enable_sort = off; set local enable_bitmapscan = off; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off';
const renew = loadSql(import.meta.url, './renew-leases.sql');
const lockClaim = loadSql(import.meta.url, './lock-claim.sql');
const release = loadSql(import.meta.url, './release-domain.sql');
const listClaimers = loadSql(import.meta.url, './list-claimers.sql');
const freeGone = loadSql(import.meta.url, './free-gone-claims.sql');

export interface ClaimedDomain {
  readonly id: number;
  readonly domain: string;
  readonly parent_domain: string;
  readonly version: number;
  readonly crawl_delay_ms: number | null;
  readonly max_concurrent_requests: number | null;
  readonly user_agent: string | null;
  readonly consecutive_error_count: number;
  readonly run_pages_count: number;
  /** Named by a person, or where a site they named has moved to. */
  readonly is_seed: boolean;
  /** Since somebody last spoke to it; null when nobody ever has. */
  readonly idle_ms: number | null;
}

export interface ClaimRequest {
  readonly runId: number;
  readonly workerId: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly maxPagesPerDomain: number | undefined;
  /** Domains this worker has given up on in this run. */
  readonly excluded: Iterable<number>;
}

export async function claimDomains(db: Database, request: ClaimRequest): Promise<ClaimedDomain[]> {
  const { runId, workerId, leaseMs, limit, maxPagesPerDomain, excluded } = request;
  return inTransaction(db, async (tx) => {
    await tx.query(inIndexOrder);
    const values = [runId, workerId, leaseMs, limit, maxPagesPerDomain ?? null, [...excluded]];
    return (await tx.query<ClaimedDomain>(claim, values)).rows;
  });
}

/** Renews leases and returns the ids of those still held. */
export async function renewLeases(
  db: Database,
  workerId: string,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Set<number>> {
  const { rows } = await write<{ id: number }>(db, renew, [
    workerId,
    leases.map((lease) => lease.domainId),
    leases.map((lease) => lease.version),
    leaseMs,
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Gives a domain back; the state it ended in, or undefined when the lease was lost meanwhile. */
export async function releaseDomain(
  db: Database,
  workerId: string,
  lease: Lease,
  settlement: Settlement,
): Promise<string | undefined> {
  const { domainId, version } = lease;
  const { status, code, reason, restMs } = settlement;
  return inTransaction(db, async (tx) => {
    // First the lock, then a look at what is left: whoever admits URLs into this domain holds the lock while
    // doing so, and one statement would still see the frontier as it was before it had to wait.
    await tx.query(lockClaim, [domainId, workerId, version]);
    const values = [domainId, workerId, version, status, code ?? null, reason ?? null, restMs ?? null];
    const { rows } = await tx.query<{ status: string }>(release, values);
    return rows[0]?.status;
  });
}

/** Frees what workers of this machine held when they were killed; no need to wait for their leases. */
export async function freeGoneClaims(db: Database, ownId: string): Promise<number> {
  const { rows } = await db.query<{ claimed_by: string }>(listClaimers, []);
  const gone = rows.map((row) => row.claimed_by).filter((id) => isWorkerGone(id, ownId));
  return gone.length === 0 ? 0 : freeClaims(db, gone);
}

/** Frees what these workers hold, for the next one, and fences them out. */
export async function freeClaims(db: Database, workerIds: readonly string[]): Promise<number> {
  return (await write(db, freeGone, [workerIds])).rows.length;
}

function write<R extends object>(
  db: Database,
  statement: string,
  values: readonly unknown[],
): Promise<Rows<R>> {
  return inTransaction(db, (tx) => tx.query<R>(statement, values));
}
