/** Jobs as they are shown: one, or a page of them, the newest first. */
import type { JobKindName } from '../../contract/jobs.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Job, JobState } from './job.ts';

const readOne = loadSql(import.meta.url, './read-job.sql');
const listStatement = loadSql(import.meta.url, './list-jobs.sql');

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly kind?: JobKindName | undefined;
}

export async function listJobs(
  db: Database,
  { state, kind }: JobFilter,
  beforeId: number | undefined,
  limit: number,
): Promise<Job[]> {
  return (await db.query<Job>(listStatement, [beforeId ?? null, state ?? null, kind ?? null, limit])).rows;
}

export async function readJob(db: Pick<Database, 'query'>, id: number): Promise<Job> {
  const [job] = (await db.query<Job>(readOne, [id])).rows;
  if (job !== undefined) return job;
  throw new ForagerError('unknown-job', `There is no job ${id}.`, {
    hint: 'a job that is over is forgotten after 30 days',
  });
}
