/** The frontier grows by more than a tenth every minute, for five minutes: more is found than can ever be read. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const readFrontierSizes = loadSql(import.meta.url, './read-frontier-sizes.sql');

const GROWTH_PER_MINUTE = 1.1;
const MINUTES = 5;
/** Every crawl begins with a frontier that grows fast. */
const SMALLEST = 1000;
/** After that the last measurement says nothing about now; a large frontier is measured less often. */
const LONGEST_AGE_MINUTES = 10;

export interface FrontierSize {
  readonly atMinute: number;
  readonly size: number;
  readonly ageMinutes: number;
}

export const frontierBacklog: AlertRule = {
  code: 'frontier-backlog',
  severity: 'warning',
  hint: 'add workers, or see whether one site makes up URLs without end and give it narrower rules',
  find: async ({ db }) => {
    const { rows } = await db.query<FrontierSize>(readFrontierSizes);
    const growth = findGrowth(rows);
    if (growth === undefined) return [];
    const message =
      `The frontier has grown from ${growth.from} to ${growth.to} URLs within ${growth.minutes} minutes, ` +
      'by more than 10 % in each of them.';
    return [{ subject: '', message }];
  },
};

/** From which size to which, if it has grown without a break for as long as it must. */
export function findGrowth(
  sizes: readonly FrontierSize[],
): { from: number; to: number; minutes: number } | undefined {
  const last = sizes.at(-1);
  if (last === undefined || last.size < SMALLEST || last.ageMinutes > LONGEST_AGE_MINUTES) return undefined;
  const first = sizes.findLastIndex(({ atMinute }) => last.atMinute - atMinute >= MINUTES);
  const start = sizes[first];
  if (start === undefined) return undefined;
  const hasGrown = sizes.slice(first + 1).every((size, index) => isGrowth(sizes[first + index], size));
  if (!hasGrown) return undefined;
  return { from: start.size, to: last.size, minutes: Math.round(last.atMinute - start.atMinute) };
}

function isGrowth(before: FrontierSize | undefined, after: FrontierSize): boolean {
  if (before === undefined) return false;
  return after.size > before.size * GROWTH_PER_MINUTE ** (after.atMinute - before.atMinute);
}
