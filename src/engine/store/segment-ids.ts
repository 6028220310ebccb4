/** The ids under which rows name segments; new segments are written down on first use. */
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const upsertSegment = loadSql(import.meta.url, './upsert-segment.sql');

export async function segmentIds(tx: Transaction, names: ReadonlySet<string>): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const name of names) {
    const result = await tx.query<{ id: number }>(upsertSegment, [name]);
    const id = result.rows[0]?.id;
    if (id !== undefined) ids.set(name, id);
  }
  return ids;
}
