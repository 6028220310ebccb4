/** Puts candidates into the frontier; the primary key decides which of them are new. */
import { prepared } from '../../platform/database.ts';
import { booleanArray, byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { Candidate } from '../visit.ts';

const admit = prepared('admit-urls', loadSql(import.meta.url, './admit-urls.sql'));
const turnIntoPages = prepared('turn-into-pages', loadSql(import.meta.url, './turn-into-pages.sql'));
const turnIntoImages = prepared('turn-into-images', loadSql(import.meta.url, './turn-into-images.sql'));

interface Newcomer {
  readonly domainId: number;
  readonly candidate: Candidate;
}

export interface Admitted {
  readonly addedCount: number;
  /** URLs that are due where there were none: pages and images. */
  readonly addedByDomain: Map<number, number>;
  /**
   * What is to be taken off to know how many pages each has more: one for an image, two for one that counted as a page
   * until now.
   */
  readonly imagesByDomain: Map<number, number>;
  readonly addedTemplates: Map<number, Map<string, number>>;
  readonly knownTemplates: { readonly domainId: number; readonly template: string }[];
}

export async function admitUrls(tx: Transaction, newcomers: readonly Newcomer[]): Promise<Admitted> {
  const admitted: Admitted = {
    addedCount: 0,
    addedByDomain: new Map(),
    imagesByDomain: new Map(),
    addedTemplates: new Map(),
    knownTemplates: [],
  };
  if (newcomers.length === 0) return admitted;
  const result = await tx.query<{ domain_id: number; url_hash: Buffer }>(admit, [
    numberArray(newcomers.map(({ domainId }) => domainId)),
    byteaArray(newcomers.map(({ candidate }) => candidate.hash)),
    textArray(newcomers.map(({ candidate }) => candidate.url)),
    numberArray(newcomers.map(({ candidate }) => candidate.depth)),
    numberArray(newcomers.map(({ candidate }) => candidate.priority)),
    booleanArray(newcomers.map(({ candidate }) => candidate.isSeed)),
    numberArray(newcomers.map(({ candidate }) => candidate.redirectCount)),
    booleanArray(newcomers.map(({ candidate }) => candidate.isImage === true)),
  ]);
  const added = new Set(result.rows.map((row) => `${row.domain_id}:${row.url_hash.toString('latin1')}`));
  for (const row of result.rows) increment(admitted.addedByDomain, row.domain_id);
  const images = newcomers.filter(({ candidate }) => candidate.isImage === true);
  const turnedCount = images.length === 0 ? 0 : await admitImages(tx, images, added, admitted);
  const shownCount = await admitShown(tx, newcomers, added, admitted);
  for (const { domainId, candidate } of newcomers) {
    if (candidate.template === undefined) continue;
    if (!added.has(`${domainId}:${candidate.hash.toString('latin1')}`)) {
      admitted.knownTemplates.push({ domainId, template: candidate.template });
      continue;
    }
    const counts = admitted.addedTemplates.get(domainId) ?? new Map<string, number>();
    admitted.addedTemplates.set(domainId, counts);
    increment(counts, candidate.template);
  }
  return { ...admitted, addedCount: result.rows.length + turnedCount + shownCount };
}

/** How many discovered pages each domain has more; `turned`: domains one of whose pages was found to be an image. */
export function pagesAdded(
  { addedByDomain, imagesByDomain }: Admitted,
  turned: readonly number[] = [],
): Map<number, number> {
  const pages = new Map([...addedByDomain].map(([id, count]) => [id, count - (imagesByDomain.get(id) ?? 0)]));
  for (const id of turned) increment(pages, id, -1);
  return pages;
}

/** What count-discovered.sql is given. */
export function discoveredRows(admitted: Admitted): number[][] {
  const { addedByDomain } = admitted;
  return [[...addedByDomain.keys()], [...addedByDomain.values()], [...pagesAdded(admitted).values()]];
}

/** Pages that the frontier knows as images. Asked only where that may be: most of what is found is known. */
async function admitShown(
  tx: Transaction,
  newcomers: readonly Newcomer[],
  added: ReadonlySet<string>,
  admitted: Admitted,
): Promise<number> {
  const shown = newcomers.filter(
    ({ candidate: { isImage, isShown, isSeed } }) => isImage !== true && (isShown || isSeed),
  );
  if (shown.length === 0) return 0;
  const { rows } = await tx.query<{ domain_id: number; url_hash: Buffer }>(turnIntoPages, [
    numberArray(shown.map(({ domainId }) => domainId)),
    byteaArray(shown.map(({ candidate }) => candidate.hash)),
    numberArray(shown.map(({ candidate }) => candidate.priority)),
    numberArray(shown.map(({ candidate }) => candidate.depth)),
    booleanArray(shown.map(({ candidate }) => candidate.isSeed)),
  ]);
  let count = 0;
  for (const { domain_id: id, url_hash: hash } of rows) {
    // Added just now, as an image: that is taken back.
    if (added.has(`${id}:${hash.toString('latin1')}`)) increment(admitted.imagesByDomain, id, -1);
    else {
      increment(admitted.addedByDomain, id);
      count += 1;
    }
  }
  return count;
}

/** Counts those that were added, and finds those that were known as what they are not. */
async function admitImages(
  tx: Transaction,
  images: readonly Newcomer[],
  added: ReadonlySet<string>,
  admitted: Admitted,
): Promise<number> {
  const counted = new Set<string>();
  const known: Newcomer[] = [];
  for (const image of images) {
    const key = `${image.domainId}:${image.candidate.hash.toString('latin1')}`;
    if (counted.has(key)) continue;
    counted.add(key);
    if (added.has(key)) increment(admitted.imagesByDomain, image.domainId);
    else known.push(image);
  }
  if (known.length === 0) return 0;
  const { rows } = await tx.query<{ domain_id: number }>(turnIntoImages, [
    numberArray(known.map(({ domainId }) => domainId)),
    byteaArray(known.map(({ candidate }) => candidate.hash)),
    numberArray(known.map(({ candidate }) => candidate.priority)),
  ]);
  for (const row of rows) {
    increment(admitted.addedByDomain, row.domain_id);
    increment(admitted.imagesByDomain, row.domain_id, 2);
  }
  return rows.length;
}

function increment<K>(counts: Map<K, number>, key: K, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
