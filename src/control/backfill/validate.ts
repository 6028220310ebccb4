/**
 * What the tables look like after a backfill: figures to compare, and checks that must find nothing. Domains that a
 * worker has, or has had since the backfill began, are not judged: their rows change while we look.
 */
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainStatus } from '../domains/list-domains.ts';
import type { BackfillContext } from './backfill.ts';
import { eachMisnamed } from './canonical-names.ts';
import { eachPortion } from './portions.ts';
import { eachPortionOfIds, findDisagreements } from './recount.ts';
import { eachStrayHost } from './stray-rows.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const readTotals = load('read-totals');
const readStatuses = load('read-statuses');
const countOrphans = load('count-orphans');
const listCheckable = load('list-checkable');

export interface Totals {
  readonly inLog: number;
  readonly inTable: number;
  readonly fromBackfills: number;
}

export interface StatusFigures {
  readonly status: DomainStatus;
  readonly domains: number;
  readonly fromBackfills: number;
  readonly pages: number;
  readonly pagesAverage: number;
  readonly imageYieldAverage: number | null;
  readonly imagesPerPageAverage: number | null;
}

export interface Checks {
  readonly orphanUrls: number;
  readonly orphanPages: number;
  readonly orphanFetches: number;
  readonly misnamedDomains: number;
  readonly misplacedRows: number;
  readonly disagreeingCounters: number;
}

export interface Validation {
  readonly totals: Totals;
  readonly statuses: readonly StatusFigures[];
  readonly checks: Checks;
  readonly isWell: boolean;
}

export async function validate(context: BackfillContext): Promise<Validation> {
  const { db } = context;
  const orphans = await countOrphanRows(context);
  const checks: Checks = {
    ...orphans,
    misnamedDomains: await countMisnamed(context),
    misplacedRows: await countMisplaced(context),
    disagreeingCounters: await countDisagreeing(context),
  };
  const totals = await db.query<Totals>(readTotals);
  const statuses = await db.query<StatusFigures>(readStatuses);
  return {
    totals: totals.rows[0] ?? { inLog: 0, inTable: 0, fromBackfills: 0 },
    statuses: statuses.rows,
    checks,
    isWell: Object.values(checks).every((count) => count === 0),
  };
}

type OrphanCounts = Pick<Checks, 'orphanUrls' | 'orphanPages' | 'orphanFetches'>;

async function countOrphanRows({ db, size, signal, tally, reached }: BackfillContext): Promise<OrphanCounts> {
  const sum = { orphanUrls: 0, orphanPages: 0, orphanFetches: 0 };
  const passedOver = [...tally.skipped.keys()];
  for await (const { after, upto } of eachPortion(db, size, signal)) {
    const { rows } = await db.query<{ urls: number; pages: number; fetches: number }>(countOrphans, [
      after,
      upto,
      passedOver,
    ]);
    sum.orphanUrls += rows[0]?.urls ?? 0;
    sum.orphanPages += rows[0]?.pages ?? 0;
    sum.orphanFetches += rows[0]?.fetches ?? 0;
    reached(upto);
  }
  return sum;
}

async function countMisnamed(context: BackfillContext): Promise<number> {
  let count = 0;
  for await (const misnamed of eachMisnamed(context)) {
    count += (
      await keepCheckable(
        context,
        misnamed.map(({ id }) => id),
      )
    ).size;
  }
  return count;
}

async function countMisplaced(context: BackfillContext): Promise<number> {
  let count = 0;
  for await (const strays of eachStrayHost(context)) {
    const misplaced = strays.filter(({ domain }) => domain !== null);
    const checkable = await keepCheckable(
      context,
      misplaced.map(({ domainId }) => domainId),
    );
    for (const { domainId, urls, pages, fetches } of misplaced) {
      if (checkable.has(domainId)) count += urls + pages + fetches;
    }
  }
  return count;
}

async function countDisagreeing(context: BackfillContext): Promise<number> {
  let count = 0;
  for await (const ids of eachPortionOfIds(context)) {
    const wrong = await findDisagreements(context.db, ids, context.logSince);
    count += (
      await keepCheckable(
        context,
        wrong.map(({ id }) => id),
      )
    ).size;
  }
  return count;
}

async function keepCheckable(
  { db, tally, startedAt }: BackfillContext,
  ids: readonly number[],
): Promise<Set<number>> {
  const judged = ids.filter((id) => !tally.skipped.has(id));
  if (judged.length === 0) return new Set();
  const { rows } = await db.query<{ id: number }>(listCheckable, [judged, startedAt]);
  return new Set(rows.map(({ id }) => id));
}
