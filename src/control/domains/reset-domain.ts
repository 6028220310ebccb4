/**
 * A person gives a domain a fresh start: whatever kept it from being crawled is forgotten, and what failed is due
 * again. Goes through legal moves only, fences out a worker that is at it, and leaves the requests that worker may
 * have under way the time to end before anybody else speaks to the site. Who did it and why is recorded.
 */
import { reprioritizeWithin } from '../../engine/schedule/reprioritize.ts';
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { lockDomainRow, restAfterFence } from './fence-domain.ts';
import { describeUnknown, findDomain } from './find-domain.ts';
import type { DomainStatus } from './list-domains.ts';

const resetRow = loadSql(import.meta.url, './reset-domain.sql');
const findPath = loadSql(import.meta.url, './status-path.sql');
const moveDomain = loadSql(import.meta.url, './move-domain.sql');
const nameActor = loadSql(import.meta.url, './name-actor.sql');
const recordReset = loadSql(import.meta.url, './record-reset.sql');
const requeueUrls = loadSql(import.meta.url, './requeue-urls.sql');
const dropRobots = loadSql(import.meta.url, './drop-robots.sql');
const requeueSitemaps = loadSql(import.meta.url, './requeue-sitemaps.sql');

export interface ResetOptions {
  readonly recrawl: boolean;
  /** For the history of the domain: `person:` and a name, or an account. */
  readonly actor: string;
  /** For the audit log, where more is known of them than the name. */
  readonly auditedAs?: Actor | undefined;
  readonly reason?: string | undefined;
  /** Longest a request may take that is under way now. */
  readonly requestTimeoutMs: number;
}

export interface ResetReport {
  readonly domain: string;
  readonly from: DomainStatus;
  readonly to: 'pending';
  /** Why it was not being crawled, until now. */
  readonly clearedReason: string | null;
  /** The worker that had it and is fenced out now. */
  readonly fencedWorker: string | null;
  /** Nobody claims it before this: requests of the worker that had it may be under way. */
  readonly restsUntil: Date | null;
  readonly restMs: number | null;
  readonly actor: string;
  readonly version: number;
  readonly urlsDueAgain: number;
  /** The same by the state they were in. */
  readonly urlsByState: Readonly<Record<string, number>>;
  readonly robotsDropped: number;
  readonly sitemapsDueAgain: number;
}

export async function resetDomain(db: Database, name: string, options: ResetOptions): Promise<ResetReport> {
  const { recrawl, actor, reason, requestTimeoutMs } = options;
  const { id, domain } = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    const before = await lockDomainRow(tx, id);
    if (before === undefined) throw await describeUnknown(tx, domain);
    await refuseIfGoing(tx, id, domain);
    const restMs = before.claimedBy === null ? null : restAfterFence(requestTimeoutMs);
    await tx.query(nameActor, [actor, reason ?? '']);
    const reset = await tx.query<{ version: number; restsUntil: Date | null }>(resetRow, [id, restMs]);
    await moveToPending(tx, id, before.status);
    await reprioritizeWithin(tx, id);
    const urls = await tx.query<{ state: string; count: number }>(requeueUrls, [id, recrawl]);
    const robots = await tx.query(dropRobots, [id]);
    const sitemaps = await tx.query(requeueSitemaps, [id, recrawl]);
    const auditedAs = options.auditedAs ?? { name: actor };
    await recordAct(tx, auditedAs, 'domain.reset', domain, {
      recrawl,
      ...(reason === undefined ? {} : { reason }),
    });
    return {
      domain,
      from: before.status,
      to: 'pending',
      clearedReason: before.reason ?? before.reasonCode,
      fencedWorker: before.isClaimed ? before.claimedBy : null,
      restsUntil: reset.rows[0]?.restsUntil ?? null,
      restMs,
      actor,
      version: reset.rows[0]?.version ?? 0,
      urlsDueAgain: urls.rows.reduce((sum, row) => sum + row.count, 0),
      urlsByState: Object.fromEntries(urls.rows.map((row) => [row.state, row.count])),
      robotsDropped: robots.rowCount,
      sitemapsDueAgain: sitemaps.rowCount,
    };
  });
}

/** An active domain has no direct way back to pending; the table of moves knows a way round. */
async function moveToPending(tx: Transaction, id: number, from: DomainStatus): Promise<void> {
  if (from === 'pending') {
    await tx.query(recordReset, [id]);
    return;
  }
  const { rows } = await tx.query<{ steps: string }>(findPath, [from, 'pending']);
  for (const status of rows[0]?.steps.split(',') ?? []) await tx.query(moveDomain, [id, status]);
}
