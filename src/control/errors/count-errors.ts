/** How many errors of which kind, where and when. */
import { ERROR_CATEGORIES, type ErrorCategoryName, MOST_STAT_DAYS } from '../../contract/errors.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';

const countErrorsSql = loadSql(import.meta.url, './count-errors.sql');

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
/** Counting more would keep people waiting: of more the latest tell enough. */
const MOST_COUNTED = 500_000;

export interface ErrorRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** How many domains and codes. */
  readonly top: number;
  readonly domain?: string | undefined;
}

export interface ErrorStats {
  readonly from: Date;
  readonly to: Date;
  readonly total: number;
  readonly isPartial: boolean;
  readonly countedFrom: Date | null;
  readonly categories: Readonly<Record<ErrorCategoryName, number>>;
  readonly codes: readonly { code: string; category: ErrorCategoryName; count: number }[];
  readonly domains: readonly { domain: string; count: number }[];
  readonly days: readonly { day: string; count: number }[];
}

interface CountRow {
  readonly total: number;
  readonly countedFrom: Date | null;
  readonly categories: Partial<Record<ErrorCategoryName, number>>;
  readonly codes: ErrorStats['codes'];
  readonly domains: ErrorStats['domains'];
  readonly days: Readonly<Record<string, number>>;
}

export async function countErrors(
  db: Database,
  { from: begin, to = now(), top, domain }: ErrorRange,
  mostCounted = MOST_COUNTED,
): Promise<ErrorStats> {
  const from = begin ?? new Date(to.getTime() - USUAL_DAYS * DAY_MS);
  checkRange(from, to);
  const domainId = domain === undefined ? null : (await findDomain(db, domain)).id;
  const { rows } = await db.query<CountRow>(countErrorsSql, [from, to, domainId, top, mostCounted]);
  const [row] = rows;
  if (row === undefined) throw new Error('the database counted nothing');
  const { total, countedFrom, categories, codes, domains, days } = row;
  return {
    ...{ from, to, total, isPartial: total >= mostCounted, countedFrom, codes, domains },
    categories: Object.fromEntries(ERROR_CATEGORIES.map((name) => [name, categories[name] ?? 0])) as Record<
      ErrorCategoryName,
      number
    >,
    days: daysBetween(from, to).map((day) => ({ day, count: days[day] ?? 0 })),
  };
}

function checkRange(from: Date, to: Date): void {
  if (from >= to) throw new ForagerError('invalid', 'from: must be before `to`.');
  if (to.getTime() - from.getTime() <= MOST_STAT_DAYS * DAY_MS) return;
  throw new ForagerError('invalid', `from: must be at most ${MOST_STAT_DAYS} days before \`to\`.`);
}

/** Every day in UTC that has a moment of the range in it. */
function daysBetween(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / DAY_MS);
  const last = Math.floor((to.getTime() - 1) / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
  );
}
