/** Domains in their maintenance window rest until it is over, and do not stand in the way of the others meanwhile. */
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { Ground, Step } from './ground.ts';
import { DomainWalk } from './walk-domains.ts';

const findInMaintenance = loadSql(import.meta.url, './find-in-maintenance.sql');
const restForMaintenance = loadSql(import.meta.url, './rest-for-maintenance.sql');

const EVERY_MS = 5000;

export function keepMaintenance({ db }: Ground): Step {
  const walk = new DomainWalk();
  const look = async (after: number, limit: number) => {
    const { rows } = await db.query<{ domainId: number; isDisturbable: boolean }>(findInMaintenance, [
      after,
      limit,
    ]);
    const ids = rows.filter(({ isDisturbable }) => isDisturbable).map(({ domainId }) => domainId);
    const rested =
      ids.length === 0 ? 0 : (await inTransaction(db, (tx) => tx.query(restForMaintenance, [ids]))).rowCount;
    return { seen: rows.map(({ domainId }) => domainId), count: rested };
  };
  return { name: 'in maintenance', everyMs: EVERY_MS, run: (isTimeUp) => walk.go(isTimeUp, look) };
}
