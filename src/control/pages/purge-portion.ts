/**
 * Deletes some pages, and all that counted them, in one transaction. Workers go on meanwhile: like their commits it
 * holds the domains first, in the order of their ids, so that counters and rows always say the same.
 */
import { byKeyOnly } from '../../engine/ingest/commit-batch.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { filterValues, type PurgeParams } from './purge-filter.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const nameActor = load('../domains/name-actor');
const lockDomains = load('lock-domains-of-pages');
const deletePages = load('delete-pages');
const lowerDomains = load('lower-domain-counters');
const lowerRuns = load('lower-run-counters');
const lowerDepth = load('lower-depth');

export interface PageKey {
  readonly domainId: number;
  readonly id: number;
}

interface Deleted {
  readonly domainId: number;
  readonly runId: number | null;
  readonly pages: number;
  readonly images: number;
}

/** Returns how many went: a page that was read again since it was looked at may not be one of those to go. */
export async function purgeWithin(
  tx: Transaction,
  params: PurgeParams,
  keys: readonly PageKey[],
  actor: string,
): Promise<number> {
  const domainIds = [...new Set(keys.map(({ domainId }) => domainId))];
  await tx.query(byKeyOnly);
  await tx.query(nameActor, [actor, 'its pages were purged, to be read again']);
  await tx.query(lockDomains, [domainIds]);
  const { rows } = await tx.query<Deleted>(deletePages, [
    ...filterValues(params),
    keys.map(({ id }) => id),
    params.recrawl,
  ]);
  if (rows.length === 0) return 0;
  const sums = sumByDomain(rows);
  await tx.query(lowerDomains, [
    [...sums.keys()],
    [...sums.values()].map(({ pages }) => pages),
    [...sums.values()].map(({ images }) => images),
    params.recrawl,
  ]);
  const ofRuns = rows.filter(({ runId }) => runId !== null);
  await tx.query(lowerRuns, [
    ofRuns.map(({ runId }) => runId),
    ofRuns.map(({ domainId }) => domainId),
    ofRuns.map(({ pages }) => pages),
  ]);
  return rows.reduce((sum, { pages }) => sum + pages, 0);
}

function sumByDomain(rows: readonly Deleted[]): Map<number, { pages: number; images: number }> {
  const sums = new Map<number, { pages: number; images: number }>();
  for (const { domainId, pages, images } of rows) {
    const sum = sums.get(domainId) ?? { pages: 0, images: 0 };
    sums.set(domainId, { pages: sum.pages + pages, images: sum.images + images });
  }
  return sums;
}

/** Once its pages are purged: the deepest may have gone. */
export async function settleDepth(tx: Transaction, domainId: number): Promise<void> {
  // A statement of its own: only what is looked at under the lock is how it is.
  await tx.query(lockDomains, [[domainId]]);
  await tx.query(lowerDepth, [domainId]);
}
