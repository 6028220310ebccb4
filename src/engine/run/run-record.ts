/**
 * The record of a crawl somebody asked for. The same command finds its unfinished run again by a key made
 * of what it crawls (seeds, scope, filters), not of how (limits, delays): raising --max-pages resumes.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const findRun = loadSql(import.meta.url, './find-run.sql');
const startRun = loadSql(import.meta.url, './start-run.sql');
const recallDomains = loadSql(import.meta.url, './recall-domains.sql');
const resumeRun = loadSql(import.meta.url, './resume-run.sql');
const endRunSql = loadSql(import.meta.url, './end-run.sql');
const readPagesCount = loadSql(import.meta.url, './read-run-pages.sql');
const handBack = loadSql(import.meta.url, './hand-back-domains.sql');
const handBackExhausted = loadSql(import.meta.url, './hand-back-exhausted.sql');
const adopt = loadSql(import.meta.url, './adopt-domains.sql');
const runRemaining = loadSql(import.meta.url, './run-remaining.sql');

export interface CrawlIdentity {
  readonly seeds: readonly string[];
  readonly scope: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface RunLimits {
  readonly maxPages: number | undefined;
  readonly maxPagesPerDomain: number | undefined;
}

export interface OpenedRun {
  readonly id: number;
  readonly isResumed: boolean;
  readonly pagesCount: number;
}

interface RunRow {
  id: number;
  pages_count: number;
}

export function crawlKey(identity: CrawlIdentity): Buffer {
  const parts = [
    [...identity.seeds].sort(),
    identity.scope,
    [...identity.include].sort(),
    [...identity.exclude].sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

export async function openRun(db: Database, identity: CrawlIdentity, limits: RunLimits): Promise<OpenedRun> {
  const key = crawlKey(identity);
  const settings = JSON.stringify({ ...identity, seeds: identity.seeds.slice(0, 100) });
  const values = [settings, limits.maxPages ?? null, limits.maxPagesPerDomain ?? null];
  return inTransaction(db, async (tx) => {
    const started = await tx.query<RunRow>(startRun, [key, ...values]);
    const fresh = started.rows[0];
    if (fresh !== undefined) {
      await tx.query(recallDomains, [fresh.id]);
      return toRun(fresh, false);
    }
    const found = await tx.query<RunRow>(findRun, [key]);
    const resumed = await tx.query<RunRow>(resumeRun, [found.rows[0]?.id ?? null, ...values]);
    const row = resumed.rows[0];
    if (row === undefined) {
      throw new ForagerError(
        'run-just-finished',
        'Another process has finished this crawl at this very moment.',
        {
          hint: 'run the command again: it starts a new run over what has become due',
        },
      );
    }
    return toRun(row, true);
  });
}

export async function endRun(
  db: Database,
  runId: number,
  status: 'finished' | 'interrupted',
  reason: string,
  rules?: DomainRules,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query(endRunSql, [runId, status, reason]);
    if (rules === undefined) {
      await tx.query(handBackExhausted, [runId]);
      return;
    }
    const { scope, include, exclude, maxDepth } = rules;
    await tx.query(handBack, [runId, scope, include, exclude, maxDepth]);
  });
}

/** What a finished crawl leaves to its domains: whoever reads them again keeps to it. */
export interface DomainRules {
  readonly scope: string | null;
  /** Regular expressions, as typed. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
  readonly maxDepth: number | null;
}

/** Domains of the run that wait in another queue, of the standing order or of a run that is dead. */
export async function adoptDomains(db: Database, runId: number): Promise<void> {
  await inTransaction(db, (tx) => tx.query(adopt, [runId]));
}

/** Pages of the run so far, those of other processes and of earlier commands included. */
export async function countRunPages(db: Database, runId: number): Promise<number> {
  const { rows } = await db.query<{ pages_count: number }>(readPagesCount, [runId]);
  return rows[0]?.pages_count ?? 0;
}

export interface Remaining {
  readonly claimable_count: number;
  readonly claimed_count: number;
  readonly resting_count: number;
  readonly resting_until: Date | null;
  /** The same from now, by the database's clock. */
  readonly resting_ms: number | null;
}

export async function readRemaining(
  db: Database,
  runId: number,
  bounds: { readonly maxPagesPerDomain: number | undefined; readonly isFair: boolean },
  excluded: Iterable<number>,
): Promise<Remaining> {
  const values = [runId, bounds.maxPagesPerDomain ?? null, [...excluded], bounds.isFair];
  const { rows } = await db.query<Remaining>(runRemaining, values);
  return (
    rows[0] ?? {
      claimable_count: 0,
      claimed_count: 0,
      resting_count: 0,
      resting_until: null,
      resting_ms: null,
    }
  );
}

function toRun(row: RunRow, isResumed: boolean): OpenedRun {
  return { id: row.id, isResumed, pagesCount: row.pages_count };
}
