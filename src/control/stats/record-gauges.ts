/** Once a minute, what is measured and not counted is written down for the charts. */
import type { Database } from '../../platform/database.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { DOMAIN_STATES, REST_FACTOR, TASK_STATES, takeCensus } from './census.ts';

const readLastCensus = loadSql(import.meta.url, './read-last-census.sql');
const countActiveWorkers = loadSql(import.meta.url, './count-active-workers.sql');
const recordGaugesSql = loadSql(import.meta.url, './record-gauges.sql');

export async function recordGauges(db: Database): Promise<void> {
  const gauges = new Map<string, number>();
  const { rows } = await db.query<{ active: number }>(countActiveWorkers);
  gauges.set('workers', rows[0]?.active ?? 0);
  if (await mayCount(db)) {
    const census = await takeCensus(db);
    gauges.set('frontier', census.due + census.waiting);
    gauges.set('leases', census.leases);
    for (const state of DOMAIN_STATES) gauges.set(`domains:${state}`, census.domains[state]);
    for (const state of TASK_STATES) gauges.set(`tasks:${state}`, census.tasks[state]);
    gauges.set('census_ms', census.tookMs);
  }
  const values = [textArray([...gauges.keys()]), numberArray([...gauges.values()])];
  await inTransaction(db, (tx) => tx.query(recordGaugesSql, values));
}

/** A frontier that takes seconds to count is not counted every minute, whichever process counted it last. */
async function mayCount(db: Database): Promise<boolean> {
  const [last] = (await db.query<{ ageMs: number; tookMs: number }>(readLastCensus)).rows;
  return last === undefined || last.ageMs >= last.tookMs * REST_FACTOR;
}
