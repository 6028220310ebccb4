/** Leases: taking domains, keeping them, giving them back. */
import type { Database, Rows } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { reprioritizeWithin } from '../schedule/reprioritize.ts';
import type { ImagesMode, Lease } from '../visit.ts';
import { divideBudget } from './divide-budget.ts';
import type { Settlement } from './settle-domain.ts';
import { isHolderGone, isWorkerGone } from './worker-identity.ts';

export const claimByScore = loadSql(import.meta.url, './claim-domains.sql');
const BY_SCORE = /d\.priority_score desc,\s+d\.last_crawled_at nulls first, d\.id/;
/** The same in the order in which the domains were named. */
export const claimByArrival = claimByScore.replace(BY_SCORE, 'd.seed_rank, d.id');
/** Those that have queued tasks, the most urgent first, whoever has had its turn. */
export const claimByTask = claimByScore
  .replace(
    /order by coalesce\(d\.yielded_at[\s\S]*?(?=\s+limit \$4)/,
    'order by d.task_priority, d.last_crawled_at nulls first, d.id',
  )
  .replace('d.next_crawl_after is null', 'd.next_crawl_after is null and d.task_priority is not null');
/** When a run has had its pages: domains with images that are due, whether they have pages left or not. */
export const claimForImages = claimByArrival.replace(
  /and coalesce\(m\.pages_count < least[\s\S]*?, true\)/,
  `and (exists (select from urls u
                 where u.domain_id = d.id and u.is_image and u.state = 'never_crawled' and u.retry_at is null)
          or exists (select from urls u
                      where u.domain_id = d.id and u.is_image and u.state = 'never_crawled'
                        and u.retry_at <= forager_now()))`,
);
/**
 * The index has the domains in the order in which they are claimed. Without statistics the planner takes the
 * tables for small, and would read and sort every domain there is.
 */
export const inIndexOrder =
  'set local enable_sort = off; set local enable_bitmapscan = off; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off';
const freeExpired = loadSql(import.meta.url, './free-expired-claims.sql');
const lockRun = loadSql(import.meta.url, './lock-run.sql');
const readAllowance = loadSql(import.meta.url, './read-allowance.sql');
const renew = loadSql(import.meta.url, './renew-leases.sql');
const checkLeasesSql = loadSql(import.meta.url, './check-leases.sql');
const lockClaim = loadSql(import.meta.url, './lock-claim.sql');
const release = loadSql(import.meta.url, './release-domain.sql');
const listClaimers = loadSql(import.meta.url, './list-claimers.sql');
const freeGone = loadSql(import.meta.url, './free-gone-claims.sql');
const giveBackTasks = loadSql(import.meta.url, '../tasks/give-back-tasks.sql');

const MOST_FREED_AT_ONCE = 500;
/** A worker silent for this long is taken for dead; it sends a heartbeat four times as often. */
export const SILENT_SECONDS = 120;

export interface ClaimedDomain {
  readonly id: number;
  readonly domain: string;
  readonly parent_domain: string;
  readonly version: number;
  readonly crawl_delay_ms: number | null;
  readonly max_concurrent_requests: number | null;
  readonly user_agent: string | null;
  readonly consecutive_error_count: number;
  readonly consecutive_throttle_count: number;
  readonly is_refreshing: boolean;
  readonly scope: 'host' | 'domain' | 'any' | null;
  readonly include: string[] | null;
  readonly exclude: string[] | null;
  readonly max_depth: number | null;
  readonly is_explored: boolean;
  readonly parser_name: string;
  /** Null: as the settings say. */
  readonly images_mode: ImagesMode | null;
  /** Pages of it are known, or may be: it is not there for images alone. */
  readonly has_pages: boolean;
  readonly has_tasks: boolean;
  readonly run_pages_count: number;
  /** How many pages of the run the lease may bring the domain to; null: as many as there are. */
  readonly pages_allowed: number | null;
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
  /** By what the domains have taught us, or in the order in which they were named. */
  readonly order: 'score' | 'arrival';
  /** The run's limit for each domain. */
  readonly maxPagesPerDomain: number | undefined;
  /** Length of a turn, in pages, in a run that never ends. */
  readonly turnPages: number | undefined;
  /** Whether budgets are divided among domains, and a domain's own one counts. */
  readonly isFair: boolean;
  /** Images of pages that were read are fetched also when the run has had its pages. */
  readonly withImages?: boolean;
  /** Domains this worker has given up on in this run. */
  readonly excluded: Iterable<number>;
}

export async function claimDomains(db: Database, request: ClaimRequest): Promise<ClaimedDomain[]> {
  await freeExpiredClaims(db);
  return inTransaction(db, async (tx) => {
    const portions = await findPortions(tx, request);
    const isUsedUp = portions !== undefined && portions.domains === 0;
    if (isUsedUp && request.withImages !== true) return [];
    const limit = isUsedUp ? request.limit : Math.min(request.limit, portions?.domains ?? request.limit);
    await tx.query(inIndexOrder);
    const claim = async (statement: string, most: number): Promise<ClaimedDomain[]> => {
      if (most === 0) return [];
      const { rows } = await tx.query<ClaimedDomain>(statement, [
        ...[request.runId, request.workerId, request.leaseMs, most, request.maxPagesPerDomain ?? null],
        ...[[...request.excluded], portions?.pages ?? null, request.turnPages ?? null, request.isFair],
      ]);
      return rows;
    };
    if (isUsedUp) return claim(claimForImages, limit);
    // What was ordered goes before what was found; tasks are the standing order's.
    const ordered = request.turnPages === undefined ? [] : await claim(claimByTask, limit);
    const rest = request.order === 'score' ? claimByScore : claimByArrival;
    return [...ordered, ...(await claim(rest, limit - ordered.length))];
  });
}

/** Leases that have run out are free again; so many at a time. */
export async function freeExpiredClaims(db: Database): Promise<number> {
  return (await write(db, freeExpired, [MOST_FREED_AT_ONCE])).rows.length;
}

/** What a run with a limit can give to each of how many; undefined for one without. */
async function findPortions(tx: Transaction, request: ClaimRequest) {
  const { runId, limit, isFair } = request;
  // A standing order has no limit; its row is too busy to be locked for nothing.
  if (request.turnPages !== undefined) return undefined;
  const run = await tx.query<{ max_pages: number | null }>(lockRun, [runId]);
  if (run.rows[0]?.max_pages == null) return undefined;
  const { rows } = await tx.query<{ available: number; waiting: number }>(readAllowance, [runId, 100_000]);
  const { available = 0, waiting = 0 } = rows[0] ?? {};
  return divideBudget(available, isFair ? waiting : 1, limit);
}

export interface HeldLease {
  readonly id: number;
  /** The run in whose queue the domain is by now. */
  readonly run_id: number;
}

/** Renews leases and returns those still held. */
export async function renewLeases(
  db: Database,
  workerId: string,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Map<number, HeldLease>> {
  if (leases.length === 0) return new Map();
  const { rows } = await write<HeldLease>(db, renew, [
    workerId,
    leases.map((lease) => lease.domainId),
    leases.map((lease) => lease.version),
    leaseMs,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface ChangedLease {
  readonly id: number;
  readonly is_lost: boolean;
  /** Another run has asked for it. */
  readonly is_wanted: boolean;
  /** Tasks of it wait to be taken. */
  readonly has_tasks: boolean;
  /** How long its maintenance window lasts, if it is in one. */
  readonly maintenance_ms: number | null;
}

/** Leases about which there is something to say: they are not what they were when they were taken, or have tasks. */
export async function checkLeases(
  db: Database,
  workerId: string,
  leases: readonly Lease[],
  runId: number,
): Promise<Map<number, ChangedLease>> {
  const { rows } = await db.query<ChangedLease>(checkLeasesSql, [
    workerId,
    leases.map((lease) => lease.domainId),
    leases.map((lease) => lease.version),
    runId,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface ReleaseTerms {
  /** It has had its turn: others come first now. */
  readonly hasYielded: boolean;
  /** An exhausted domain rests at least this long. */
  readonly leastRestMs: number;
  /** Its score is brought up to date. */
  readonly isTracked: boolean;
  /** How often in a row it has asked us to slow down. */
  readonly throttleCount: number;
  /** Tasks of it were taken; those that were not worked on are queued again. */
  readonly hasTasks?: boolean;
}

const PLAIN_TERMS: ReleaseTerms = { hasYielded: false, leastRestMs: 0, isTracked: false, throttleCount: 0 };

/** Gives a domain back; the state it ended in, or undefined when the lease was lost meanwhile. */
export async function releaseDomain(
  db: Database,
  workerId: string,
  lease: Lease,
  settlement: Settlement,
  terms: ReleaseTerms = PLAIN_TERMS,
): Promise<string | undefined> {
  const { domainId, version } = lease;
  const { status, code, reason, restMs } = settlement;
  return inTransaction(db, async (tx) => {
    // First the lock, then a look at what is left: whoever admits URLs into this domain holds the lock while
    // doing so, and one statement would still see the frontier as it was before it had to wait.
    const claim = await tx.query(lockClaim, [domainId, workerId, version]);
    if (claim.rowCount === 0) return undefined;
    if (terms.hasTasks === true) await tx.query(giveBackTasks, [domainId, workerId]);
    const { rows } = await tx.query<{ status: string }>(release, [
      ...[domainId, workerId, version, status, code ?? null, reason ?? null, restMs ?? null],
      ...[terms.hasYielded, terms.leastRestMs, terms.throttleCount],
    ]);
    if (terms.isTracked && rows.length > 0) await reprioritizeWithin(tx, domainId);
    return rows[0]?.status;
  });
}

interface Claimer {
  readonly claimed_by: string;
  readonly host: string | null;
  readonly pid: number | null;
  readonly process_mark: string | null;
  readonly silent_seconds: number | null;
}

/** Frees what workers of this machine held when they were killed; no need to wait for their leases. */
export async function freeGoneClaims(db: Database): Promise<number> {
  const { rows } = await db.query<Claimer>(listClaimers, []);
  const isOurMachine = db.kind === 'embedded';
  const gone = rows.filter((row) => isGone(row, isOurMachine)).map((row) => row.claimed_by);
  return gone.length === 0 ? 0 : freeClaims(db, gone);
}

function isGone(claimer: Claimer, isOurMachine: boolean): boolean {
  const { claimed_by: id, host, pid, process_mark: mark, silent_seconds: silence } = claimer;
  if (host === null || pid === null || mark === null) return isWorkerGone(id, isOurMachine);
  // One that sends heartbeats is not gone while they come, whatever its process number says.
  const isSilent = silence !== null && silence > SILENT_SECONDS;
  return isHolderGone(id, { host, pid, mark }, isOurMachine || isSilent);
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
