/** An exhausted domain that has got URLs which are due has something to do again. */
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { sayWhy } from './lock-rows.ts';

const wakeDomains = loadSql(import.meta.url, './wake-domains.sql');

export async function wakeWithWork(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sayWhy(tx, 'URLs that are due were found to be its own');
  await tx.query(wakeDomains, [ids]);
}
