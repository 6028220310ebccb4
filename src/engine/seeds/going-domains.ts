/**
 * Domains that are being removed: whatever is put into one of them goes with it. So nobody is told that it was taken,
 * for as long as the removal is not over. To be asked with the rows of the domains locked: then no removal begins
 * before what was decided is committed.
 */
import type { Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';

const findGoing = loadSql(import.meta.url, './find-going-domains.sql');

/** By id: the job that removes it. */
export async function findGoingDomains(db: Queryable, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ domainId: number; jobId: number }>(findGoing, [numberArray(ids)]);
  return new Map(rows.map(({ domainId, jobId }) => [domainId, jobId]));
}

export async function refuseIfGoing(db: Queryable, id: number, domain: string): Promise<void> {
  const jobId = (await findGoingDomains(db, [id])).get(id);
  if (jobId !== undefined) throw describeGoing(domain, jobId);
}

export function describeGoing(domain: string, jobId: number): ForagerError {
  return new ForagerError('domain-going', `The domain ${domain} is being removed.`, {
    hint: `watch /api/jobs/${jobId}, or cancel it; "forager domain remove" goes on with it where no server runs`,
  });
}

/** Why a URL of it is not taken. */
export function reasonOfGoing(jobId: number): string {
  return `its domain is being removed (job ${jobId})`;
}
