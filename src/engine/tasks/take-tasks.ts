/** From a domain's queued tasks into the hands of the worker that holds it. */
import type { Database } from '../../platform/database.ts';
import { byteaArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type DueRow, toDueUrl } from '../frontier/read-window.ts';
import type { DueUrl, Lease } from '../visit.ts';

const lockClaim = loadSql(import.meta.url, '../claim/lock-claim.sql');
const take = loadSql(import.meta.url, './take-tasks.sql');
const forgetQueued = loadSql(import.meta.url, './forget-queued-tasks.sql');

interface TakenRow extends DueRow {
  readonly task_id: number;
  readonly retry_count: number;
  readonly max_retries: number;
  readonly follow_depth: number;
  readonly follow_limit: number;
}

export interface TaskLot {
  readonly due: readonly DueUrl[];
  /** There may be more in the queue. */
  readonly hasMore: boolean;
}

/** Up to `limit` of them, but none for URLs that are in hand already. */
export async function takeTasks(
  db: Database,
  workerId: string,
  lease: Lease,
  limit: number,
  inHand: readonly Buffer[],
): Promise<TaskLot> {
  return inTransaction(db, async (tx) => {
    const claim = await tx.query(lockClaim, [lease.domainId, workerId, lease.version]);
    if (claim.rowCount === 0) return { due: [], hasMore: false };
    const { domainId, version } = lease;
    const values = [domainId, workerId, version, limit, byteaArray(inHand)];
    const { rows } = await tx.query<TakenRow>(take, values);
    const hasMore = rows.length === limit;
    if (!hasMore) await tx.query(forgetQueued, [domainId]);
    return { due: rows.map(toDueTask), hasMore };
  });
}

function toDueTask(row: TakenRow): DueUrl {
  const due = toDueUrl(row);
  return {
    ...due,
    // "Unchanged" does not say which pages it names: then all of it is wanted.
    ...(row.follow_depth > 0 ? { etag: undefined, lastModified: undefined } : {}),
    task: {
      id: row.task_id,
      url: row.url,
      retryCount: row.retry_count,
      maxRetries: row.max_retries,
      followDepth: row.follow_depth,
      followLimit: row.follow_limit,
    },
  };
}
