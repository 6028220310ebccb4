/** Crawls that somebody asked for: the list of them, and one with all it counted. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { checkRun } from './check-run.ts';
import { pickTallies, type RunDomain, type TallyRow } from './run-summary.ts';

const listRunsSql = loadSql(import.meta.url, './list-runs.sql');
const readRunSql = loadSql(import.meta.url, './read-run.sql');
const readTallies = loadSql(import.meta.url, './read-tallies.sql');
const readRunDomains = loadSql(import.meta.url, './read-run-domains.sql');

export type RunStatus = 'running' | 'interrupted' | 'finished' | 'failed';

export interface RunRow {
  readonly id: number;
  readonly status: RunStatus;
  readonly endReason: string | null;
  readonly seeds: readonly string[];
  readonly pages: number;
  readonly fetches: number;
  readonly errors: number;
  readonly bytes: number;
  readonly activeMs: number;
  readonly maxPages: number | null;
  readonly maxPagesPerDomain: number | null;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

export interface RunFilter {
  /** Those with lower numbers. */
  readonly below?: number | undefined;
  readonly status?: RunStatus | undefined;
}

export async function listRuns(db: Database, filter: RunFilter, limit: number): Promise<RunRow[]> {
  return (await db.query<RunRow>(listRunsSql, [filter.below ?? null, filter.status ?? null, limit])).rows;
}

export interface RunDetails extends RunRow {
  readonly statusCodes: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly refreshed: Readonly<Record<string, number>>;
  readonly domainCount: number;
  readonly domains: readonly RunDomain[];
}

const DOMAIN_ROWS = 30;

export async function readRunDetails(db: Database, id: number): Promise<RunDetails> {
  const [row] = await listRuns(db, { below: id + 1 }, 1);
  if (row?.id !== id) await checkRun(db, id);
  if (row === undefined) throw new Error(`run ${id} has gone while it was read`);
  const [figures, tallies, domains] = await Promise.all([
    db.query<{ domainCount: number }>(readRunSql, [id]),
    db.query<TallyRow>(readTallies, [id]),
    db.query<RunDomain>(readRunDomains, [id, DOMAIN_ROWS]),
  ]);
  return {
    ...row,
    statusCodes: pickTallies(tallies.rows, 'status:'),
    outcomes: pickTallies(tallies.rows, 'outcome:'),
    skipped: pickTallies(tallies.rows, 'skip:'),
    refreshed: pickTallies(tallies.rows, 'refresh:'),
    domainCount: figures.rows[0]?.domainCount ?? 0,
    domains: domains.rows,
  };
}
