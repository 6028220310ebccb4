/**
 * Domains that nobody would claim for the queued tasks they have: their row says nothing of them, or they are in the
 * queue of a crawl that was given up after the tasks were queued.
 */
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { Ground, Step } from './ground.ts';
import { noteQueued, type QueuedOf } from './note-queued.ts';
import { DomainWalk } from './walk-domains.ts';

const findUnnoted = loadSql(import.meta.url, './find-unnoted-domains.sql');
const lockDomains = loadSql(import.meta.url, './lock-domains.sql');
const readBest = loadSql(import.meta.url, './read-best-queued.sql');

const EVERY_MS = 15_000;

export function healTaskPriorities({ db }: Ground): Step {
  const walk = new DomainWalk();
  const look = async (after: number, limit: number) => {
    const { rows } = await db.query<{ domainId: number; isUnnoted: boolean }>(findUnnoted, [after, limit]);
    const unnoted = rows.filter(({ isUnnoted }) => isUnnoted).map(({ domainId }) => domainId);
    return { seen: rows.map(({ domainId }) => domainId), count: await heal(unnoted) };
  };
  const heal = async (ids: readonly number[]): Promise<number> => {
    if (ids.length === 0) return 0;
    return inTransaction(db, async (tx) => {
      const locked = await tx.query<{ id: number }>(lockDomains, [ids]);
      const best = await tx.query<QueuedOf>(readBest, [locked.rows.map(({ id }) => id)]);
      await noteQueued(tx, best.rows);
      return best.rows.length;
    });
  };
  return { name: 'domains healed', everyMs: EVERY_MS, run: (isTimeUp) => walk.go(isTimeUp, look) };
}
