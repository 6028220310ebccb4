/** Somebody looks after an alert. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import type { AlertRow } from './list-alerts.ts';

const acknowledgeSql = loadSql(import.meta.url, './acknowledge-alert.sql');
const findAlert = loadSql(import.meta.url, './find-alert.sql');

export async function acknowledgeAlert(db: Database, id: number, actor: Actor): Promise<AlertRow> {
  return inTransaction(db, async (tx) => {
    const [alert] = (await tx.query<AlertRow>(acknowledgeSql, [id, actor.name])).rows;
    if (alert !== undefined) {
      const { code, subject } = alert;
      await recordAct(tx, actor, 'alert.acknowledge', `alert ${id}`, { code, subject });
      return alert;
    }
    const isKnown = (await tx.query(findAlert, [id])).rowCount > 0;
    if (isKnown)
      throw new ForagerError('alert-over', `Alert ${id} is over: there is nothing left to look after.`);
    throw new ForagerError('unknown-alert', `There is no alert ${id}.`);
  });
}
