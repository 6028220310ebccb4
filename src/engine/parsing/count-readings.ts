/** What parsed bodies add to the counters of their domains, of the parser and of the minute. Their fetches are counted. */
import { now } from '../../platform/clock.ts';
import { prepared } from '../../platform/database.ts';
import { dateArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { type Admitted, discoveredRows } from '../frontier/admit-urls.ts';
import { type DomainSum, type SavedPage, sumByDomain } from '../ingest/domain-sums.ts';
import type { UrlEnding } from '../ingest/url-ending.ts';
import { countRunDomains, writeRunCounters, writeTemplates } from '../ingest/write-counters.ts';
import type { WrittenProducts } from '../ingest/write-products.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import type { Visit } from '../visit.ts';
import type { SettledParses } from './settle-parses.ts';

const countParsed = prepared('count-parsed', loadSql(import.meta.url, './count-parsed.sql'));
const countDiscovered = loadSql(import.meta.url, '../frontier/count-discovered.sql');

export interface ReadingCounts {
  readonly workerId: string;
  readonly visits: readonly Visit[];
  readonly endings: readonly UrlEnding[];
  readonly saved: readonly SavedPage[];
  readonly settled: SettledParses;
  readonly products: WrittenProducts;
  readonly tallies: ReadonlyMap<string, number>;
  /** URLs that were ordered, and were not known. */
  readonly ordered: Admitted;
  /** URLs that their pages link to. */
  readonly found: Admitted;
  readonly foreignCount: number;
}

export async function countReadings(tx: Transaction, counts: ReadingCounts): Promise<void> {
  const { workerId, ordered, found, settled } = counts;
  const sums = parsedSums(counts);
  await countDomains(tx, sums, counts);
  // New URLs wake a domain that had none left.
  const { addedByDomain } = found;
  if (addedByDomain.size > 0) await tx.query(countDiscovered, discoveredRows(found));
  await writeTemplates(tx, found.addedTemplates);
  const tallies = new Map([...counts.tallies, ...counts.products.tallies]);
  for (const name of ['completed', 'retried', 'failed'] as const) {
    if (settled[name] > 0) tallies.set(`task:${name}`, settled[name]);
  }
  await writeRunCounters(tx, {
    context: { runId: STANDING_RUN, workerId, leaseMs: 0, activeMs: 0 },
    ...{ sums, tallies, addedByDomain, addedTemplates: found.addedTemplates },
    addedCount: ordered.addedCount + found.addedCount + counts.foreignCount,
    ...{ consecutiveErrors: new Map(), restingUntil: new Map() },
  });
}

/** Fetches, bytes and times were counted when they were fetched. */
function parsedSums({ visits, saved, products: { newByDomain } }: ReadingCounts): Map<number, DomainSum> {
  const domainIds = new Set([...visits.map(({ lease }) => lease.domainId), ...newByDomain.keys()]);
  const sums = sumByDomain(visits, saved, domainIds, newByDomain);
  for (const sum of sums.values()) Object.assign(sum, { fetches: 0, bytes: 0, durationMs: 0, errors: 0 });
  return sums;
}

async function countDomains(
  tx: Transaction,
  sums: ReadonlyMap<number, DomainSum>,
  { visits, endings, ordered }: ReadingCounts,
): Promise<void> {
  if (sums.size === 0) return;
  const ids = [...sums.keys()];
  const values = [...sums.values()];
  await tx.query(countParsed, [
    numberArray(ids),
    numberArray(ids.map((id) => ordered.addedByDomain.get(id) ?? 0)),
    numberArray(values.map(({ newPages }) => newPages)),
    numberArray(values.map(({ newImages }) => newImages)),
    numberArray(values.map(({ depth }) => depth)),
    dateArray(ids.map((id) => firstReading(id, visits, endings))),
    now(),
    numberArray(values.map(({ newProducts }) => newProducts)),
  ]);
  const zeros = numberArray(ids.map(() => 0));
  const pages = numberArray(values.map((sum) => sum.pages));
  await tx.query(countRunDomains, [STANDING_RUN, numberArray(ids), pages, zeros, zeros, zeros]);
}

/** When the first of a domain's pages is to be read again. */
function firstReading(
  domainId: number,
  visits: readonly Visit[],
  endings: readonly UrlEnding[],
): Date | undefined {
  let first: Date | undefined;
  for (const [index, { lease }] of visits.entries()) {
    const nextAt = endings[index]?.nextCrawlAt;
    if (lease.domainId !== domainId || nextAt === undefined) continue;
    if (first === undefined || nextAt < first) first = nextAt;
  }
  return first;
}
