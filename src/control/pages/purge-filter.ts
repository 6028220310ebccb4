/** Which pages are to go, as a job remembers it. */
import { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const countMatching = loadSql(import.meta.url, './count-purgeable.sql');

export const purgeParams = z.strictObject({
  domain: z.string().optional(),
  domainId: z.int().optional(),
  status: z.int().optional(),
  isGone: z.boolean().optional(),
  crawledUntil: z.iso.datetime().optional(),
  recrawl: z.boolean(),
  /** Of the pages that there were: what is read again meanwhile has a higher id, and is not purged a second time. */
  upToId: z.int(),
});
export type PurgeParams = z.infer<typeof purgeParams>;

/** As the statements take it: $1 to $5. */
export function filterValues({ upToId, domainId, status, isGone, crawledUntil }: PurgeParams): unknown[] {
  return [upToId, domainId ?? null, status ?? null, isGone ?? null, crawledUntil ?? null];
}

export async function countPurgeable(db: Database, params: PurgeParams): Promise<number> {
  const { rows } = await db.query<{ count: number }>(countMatching, filterValues(params));
  return rows[0]?.count ?? 0;
}
