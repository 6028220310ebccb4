/** Domains that were left alone long enough get another chance, with the URLs that failed because of them. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const wakeDomains = loadSql(import.meta.url, './end-cooldowns.sql');
const requeueUrls = loadSql(import.meta.url, './requeue-refused-urls.sql');

export async function endCooldowns(db: Database, runId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(wakeDomains, [runId]);
    if (rows.length > 0) await tx.query(requeueUrls, [rows.map((row) => row.id)]);
  });
}
