/**
 * Domains rebuilt from what the tables say: the log is the truth of fetches, urls of what was found, pages of what
 * was read. Three passes, each in portions with a transaction each, and then a look at the result:
 *
 *   names     domains that are another spelling of one are merged with it, or renamed (canonical-names.ts)
 *   rows      what hangs on no domain, or on the wrong one, is hung on its own, made if need be (stray-rows.ts)
 *   counters  are counted anew, and rates and score computed from them (recount.ts)
 *   checks    what must hold now (validate.ts)
 *
 * Every portion leaves the tables in order, so it may be stopped or killed at any time and run again; a second run
 * finds nothing to do. A leased domain belongs to its worker: it is passed over and told.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { mergeMisnamed, planMisnamed } from './canonical-names.ts';
import { PORTION, type PortionSize } from './portions.ts';
import { countDisagreements, recountDomains } from './recount.ts';
import { homeStrayRows, planStrayRows } from './stray-rows.ts';
import { emptyTally, type Tally } from './tally.ts';
import { type Validation, validate } from './validate.ts';

const readExtent = loadSql(import.meta.url, './read-extent.sql');

export const PASSES = ['names', 'rows', 'counters', 'checks'] as const;
export type Pass = (typeof PASSES)[number];

export interface BackfillOptions {
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly size?: PortionSize;
  /** How far a pass has come, between 0 and 1. */
  readonly onProgress?: (pass: Pass, share: number) => void;
}

export interface BackfillResult {
  readonly tally: Tally;
  /** Undefined if it was stopped before the end. */
  readonly validation: Validation | undefined;
}

/** What every pass needs. */
export interface BackfillContext {
  readonly db: Database;
  readonly size: PortionSize;
  readonly signal: AbortSignal | undefined;
  readonly tally: Tally;
  /** When it began, and since when the log is complete (null: it is empty), as the database writes moments. */
  readonly startedAt: string;
  readonly logSince: string | null;
  /** The pass has dealt with the domains up to this id. */
  reached(id: number): void;
}

interface Extent {
  readonly startedAt: string;
  readonly lastId: number;
  readonly logSince: string | null;
}

export async function backfill(db: Database, options: BackfillOptions = {}): Promise<BackfillResult> {
  const { rows } = await db.query<Extent>(readExtent);
  const extent = rows[0] ?? { startedAt: 'now', lastId: 0, logSince: null };
  const tally = emptyTally();
  const contextOf = (pass: Pass): BackfillContext => ({
    db,
    tally,
    size: options.size ?? PORTION,
    signal: options.signal,
    startedAt: extent.startedAt,
    logSince: extent.logSince,
    reached: (id) => options.onProgress?.(pass, Math.min(1, id / Math.max(1, extent.lastId))),
  });
  const isDryRun = options.isDryRun === true;
  const passes: Readonly<Record<Exclude<Pass, 'checks'>, (context: BackfillContext) => Promise<void>>> = {
    names: isDryRun ? planMisnamed : mergeMisnamed,
    rows: isDryRun ? planStrayRows : homeStrayRows,
    counters: isDryRun ? countDisagreements : recountDomains,
  };
  try {
    await passes.names(contextOf('names'));
    await passes.rows(contextOf('rows'));
    await passes.counters(contextOf('counters'));
    return { tally, validation: await validate(contextOf('checks')) };
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
    return { tally, validation: undefined };
  }
}
