/**
 * What the pages of a batch say of products, inside its transaction: products, their history and news of them, those
 * that are not there any more, and how well the parsers did.
 */
import { prepared } from '../../platform/database.ts';
import { byteaArray, dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { seenProduct } from '../products/seen-product.ts';
import { writeWhatFits } from '../products/write-what-fits.ts';
import type { Visit } from '../visit.ts';
import { type LostProduct, ParseCounts } from './parse-counts.ts';
import type { UrlEnding } from './url-ending.ts';

const load = (name: string) => prepared(name, loadSql(import.meta.url, `./${name}.sql`));
const loseProducts = load('lose-products');
const touchProducts = load('touch-products');
const countParses = load('count-parses');

export interface WrittenProducts {
  /** Those that were not known before, by domain. */
  readonly newByDomain: ReadonlyMap<number, number>;
  /** The product on the page of a visit. */
  readonly idByVisit: ReadonlyMap<Visit, number>;
  /** Products that the database does not take, and why: a defect of ours, since parsers' values are checked. */
  readonly unwritten: ReadonlyMap<Visit, string>;
  readonly tallies: ReadonlyMap<string, number>;
}

export interface ProductVisit {
  readonly visit: Visit;
  /** Undefined: its URL is not written about. */
  readonly ending: UrlEnding | undefined;
  /** When what it says was seen: a body that is read once more was seen again by every visit that found it unchanged. */
  readonly seenAt: Date;
}

/** `withProducts`: the domains that have any. Asking for products of the others would be in vain. */
export async function writeProducts(
  tx: Transaction,
  visits: readonly ProductVisit[],
  withProducts: ReadonlySet<number>,
): Promise<WrittenProducts> {
  const counts = new ParseCounts();
  const found = visits.flatMap(({ visit, seenAt }) => {
    const seen = seenProduct(visit, seenAt);
    return seen === undefined ? [] : [{ visit, seen }];
  });
  const written = await writeWhatFits(
    tx,
    found.map(({ seen }) => seen),
  );
  const newByDomain = new Map<number, number>();
  const idByVisit = new Map<Visit, number>();
  const unwritten = new Map<Visit, string>();
  for (const [index, { visit }] of found.entries()) {
    const product = written[index];
    if (product === undefined) continue;
    if (product.kind === 'unwritten') {
      unwritten.set(visit, product.message);
      counts.addUnwritten(visit);
      continue;
    }
    idByVisit.set(visit, product.productId);
    counts.tally(product.kind);
    if (product.kind !== 'new') continue;
    newByDomain.set(visit.lease.domainId, (newByDomain.get(visit.lease.domainId) ?? 0) + 1);
  }
  for (const { visit } of visits) if (!unwritten.has(visit)) counts.add(visit);
  const ofKnown = visits.filter(({ visit }) => withProducts.has(visit.lease.domainId));
  if (ofKnown.length > 0) {
    for (const lost of await lose(tx, ofKnown)) counts.addLost(lost);
    await touch(tx, ofKnown);
  }
  await writeCounts(tx, counts, withProducts);
  return { newByDomain, idByVisit, unwritten, tallies: counts.tallies };
}

/** Those whose page has no product any more, is gone, or is something else by now. */
async function lose(tx: Transaction, visits: readonly ProductVisit[]): Promise<LostProduct[]> {
  const without = visits.filter(
    ({ visit, ending }) => isWithout(visit) || ending?.finding === 'gone' || isReplaced(visit, ending),
  );
  if (without.length === 0) return [];
  const { rows } = await tx.query<{ ordinal: number; isNews: boolean }>(loseProducts, placesOf(without));
  return rows.flatMap(({ ordinal, isNews }) => {
    const visit = without[ordinal - 1]?.visit;
    return visit === undefined ? [] : [{ visit, isNews, isOfParser: isWithout(visit) }];
  });
}

/** A login in the place of a page says nothing about what is behind it. */
function isWithout({ page, outcome }: Visit): boolean {
  if (outcome.login !== undefined) return false;
  return page?.extraction?.verdict === 'none' && page.extraction.failure === undefined;
}

/** Many shops send whoever asks for what they do not sell any more to the shelf it stood on. */
function isReplaced({ outcome }: Visit, ending: UrlEnding | undefined): boolean {
  return ending?.isReplaced === true && outcome.login === undefined;
}

/** A page that has not changed has the product it had. */
async function touch(tx: Transaction, visits: readonly ProductVisit[]): Promise<void> {
  const unchanged = visits.filter(({ visit }) => visit.outcome.kind === 'not-modified');
  if (unchanged.length > 0) await tx.query(touchProducts, placesOf(unchanged));
}

function placesOf(visits: readonly ProductVisit[]): unknown[] {
  return [
    numberArray(visits.map(({ visit }) => visit.lease.domainId)),
    byteaArray(visits.map(({ visit }) => visit.due.hash)),
    dateArray(visits.map(({ seenAt }) => seenAt)),
  ];
}

async function writeCounts(
  tx: Transaction,
  counts: ParseCounts,
  withProducts: ReadonlySet<number>,
): Promise<void> {
  const rows = counts.rows(withProducts);
  if (rows.length === 0) return;
  await tx.query(countParses, [
    numberArray(rows.map(({ domainId }) => domainId)),
    textArray(rows.map(({ parser }) => parser)),
    textArray(rows.map(({ version }) => version)),
    ...(['pages', 'valid', 'partial', 'invalid', 'lost', 'failed'] as const).map((name) =>
      numberArray(rows.map((row) => row[name])),
    ),
  ]);
}
