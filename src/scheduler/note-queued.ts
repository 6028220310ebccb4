/** What a domain's row says of its queued tasks: the claim goes by it. */
import { loadSql } from '../platform/sql-file.ts';
import type { Transaction } from '../platform/transaction.ts';

const noteQueuedSql = loadSql(import.meta.url, './note-queued.sql');
/** Out of the queue of a crawl that was given up: nobody else would work on them. */
const takeIntoStandingOrder = loadSql(import.meta.url, '../engine/seeds/take-into-standing-order.sql');

export interface QueuedOf {
  readonly domainId: number;
  readonly priority: number;
}

/** The domains must be locked. */
export async function noteQueued(tx: Transaction, tasks: readonly QueuedOf[]): Promise<void> {
  const best = new Map<number, number>();
  for (const { domainId, priority } of tasks) {
    best.set(domainId, Math.min(best.get(domainId) ?? priority, priority));
  }
  if (best.size === 0) return;
  await tx.query(takeIntoStandingOrder, [[...best.keys()]]);
  await tx.query(noteQueuedSql, [[...best.keys()], [...best.values()]]);
}
