/** What a run has to show, read from the database: figures, outcomes, what was passed over, its domains. */

import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainState } from '../stats/census.ts';

const readRun = loadSql(import.meta.url, './read-run.sql');
const readTallies = loadSql(import.meta.url, './read-tallies.sql');
const readRunDomains = loadSql(import.meta.url, './read-run-domains.sql');
const readDuplicates = loadSql(import.meta.url, './read-duplicates.sql');

export interface RunDomain {
  readonly domain: string;
  readonly status: DomainState;
  readonly pages: number;
  readonly fetches: number;
  readonly errors: number;
  readonly bytes: number;
  readonly discovered: number;
  /** Why it is not simply done, for a person. */
  readonly reason: string | null;
  readonly code: string | null;
  readonly restingUntil: Date | null;
}

export interface RunSummary {
  readonly runId: number;
  readonly pages: number;
  readonly fetches: number;
  readonly errors: number;
  readonly bytes: number;
  readonly durationMs: number;
  readonly statusCodes: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  /** Known pages that were read again, by what was found. */
  readonly refreshed: Readonly<Record<string, number>>;
  /** Products on the pages, by what was made of them. */
  readonly products: Readonly<Record<string, number>>;
  readonly domains: readonly RunDomain[];
  readonly domainCount: number;
  readonly duplicates: number;
}

const DOMAIN_ROWS = 30;

export async function readRunSummary(db: Database, runId: number): Promise<RunSummary> {
  const [run, tallies, domains, duplicates] = await Promise.all([
    db.query<
      Omit<
        RunSummary,
        'statusCodes' | 'outcomes' | 'skipped' | 'refreshed' | 'products' | 'domains' | 'duplicates'
      >
    >(readRun, [runId]),
    db.query<TallyRow>(readTallies, [runId]),
    db.query<RunDomain>(readRunDomains, [runId, DOMAIN_ROWS]),
    db.query<{ duplicates: number }>(readDuplicates, [runId]),
  ]);
  const row = run.rows[0];
  if (row === undefined) throw new Error(`there is no run ${runId}`);
  return {
    ...row,
    statusCodes: pickTallies(tallies.rows, 'status:'),
    outcomes: pickTallies(tallies.rows, 'outcome:'),
    skipped: pickTallies(tallies.rows, 'skip:'),
    products: pickTallies(tallies.rows, 'product:'),
    refreshed: pickTallies(tallies.rows, 'refresh:'),
    domains: domains.rows,
    duplicates: duplicates.rows[0]?.duplicates ?? 0,
  };
}

export interface TallyRow {
  readonly tally: string;
  readonly count: number;
}

export function pickTallies(rows: readonly TallyRow[], prefix: string): Record<string, number> {
  return Object.fromEntries(
    rows
      .filter((row) => row.tally.startsWith(prefix))
      .map((row) => [row.tally.slice(prefix.length), row.count]),
  );
}
