/**
 * Images in the commit of a batch. What was fetched and where it was seen are written in its one transaction, in a few
 * statements however many they are. Two things concern domains that are not ours, and have transactions of their own:
 * before it, images that have moved are entered wherever they were seen; after it, images are counted for the domains
 * that show them.
 */
import { type Database, prepared } from '../../platform/database.ts';
import { byteaArray, dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { Visit } from '../visit.ts';
import type { BlobStore } from './blob-store.ts';
import type { KeptImage } from './image-reading.ts';

const load = (name: string) => prepared(name, loadSql(import.meta.url, `./${name}.sql`));
const lockBlobsShared = load('lock-blobs-shared');
const saveImages = load('save-images');
const saveImageUrls = load('save-image-urls');
const touchImages = load('touch-images');
const rereadImages = load('reread-images');
const touchPlaces = load('touch-places');
const saveProvenance = load('save-provenance');
const copyProvenance = load('copy-provenance');
const findShowingDomains = load('find-showing-domains');
const lockShowingDomains = load('lock-showing-domains');
const countStored = load('count-stored');
const turnVisitedSql = load('turn-visited');

/** An image, and a domain on whose pages it was seen. */
interface Showing {
  readonly domainId: number;
  readonly hash: Buffer;
}

export interface WrittenImages {
  /** Images that are stored by now: whoever shows them has one more, unless it was counted. */
  readonly stored: readonly Buffer[];
  /** Seen on pages of this batch, and not counted there. */
  readonly uncounted: readonly Showing[];
  /** Domains with a URL that was taken for a page, and is due as an image now. */
  readonly turned: readonly number[];
}

export const NO_IMAGES: WrittenImages = { stored: [], uncounted: [], turned: [] };

/**
 * Visits to images whose bytes were removed since they were stored: nothing of them is written, they are still due.
 * From here to the end of the transaction nobody removes any.
 */
export async function findLostImages(
  tx: Transaction,
  visits: readonly Visit[],
  blobs: BlobStore | undefined,
): Promise<ReadonlySet<Visit>> {
  const lost = new Set<Visit>();
  const kept = visits.flatMap((visit) =>
    visit.image?.kind === 'kept' ? [{ visit, image: visit.image }] : [],
  );
  if (kept.length === 0) return lost;
  await tx.query(lockBlobsShared);
  for (const { visit, image } of kept) {
    if (blobs !== undefined && !(await blobs.has(image.contentHash))) lost.add(visit);
  }
  return lost;
}

/** Before the pages are written: when they were last seen tells what they showed then. */
export async function touchImagePlaces(tx: Transaction, visits: readonly Visit[]): Promise<void> {
  const unchanged = visits.filter(
    ({ showsImages, outcome }) => showsImages && outcome.kind === 'not-modified',
  );
  if (unchanged.length === 0) return;
  await tx.query(touchPlaces, [
    numberArray(unchanged.map(({ lease }) => lease.domainId)),
    byteaArray(unchanged.map(({ due }) => due.hash)),
    dateArray(unchanged.map(({ fetchedAt }) => fetchedAt)),
  ]);
}

/** `productOf`: the product on the page of a visit. */
export async function writeImages(
  tx: Transaction,
  visits: readonly Visit[],
  productOf: (visit: Visit) => number | undefined,
): Promise<WrittenImages> {
  const stored = await writeFetched(tx, visits);
  await writeUnchanged(tx, visits);
  const uncounted = await writeSeen(tx, visits, productOf);
  return { stored, uncounted, turned: await turnVisited(tx, visits) };
}

async function writeFetched(tx: Transaction, visits: readonly Visit[]): Promise<Buffer[]> {
  const fetched = visits.flatMap((visit) =>
    visit.image === undefined ? [] : [{ visit, image: visit.image }],
  );
  if (fetched.length === 0) return [];
  const ids = await writeContents(tx, fetched);
  const rows = fetched.map(({ visit, image }) => ({
    visit,
    imageId: image.kind === 'kept' ? ids.get(keyOf(image.contentHash)) : undefined,
    refused: image.kind === 'refused' ? image : undefined,
  }));
  await tx.query(saveImageUrls, [
    numberArray(rows.map(({ visit }) => visit.lease.domainId)),
    byteaArray(rows.map(({ visit }) => visit.due.hash)),
    textArray(rows.map(({ visit }) => visit.due.url)),
    numberArray(rows.map(({ imageId }) => imageId ?? null)),
    textArray(rows.map(({ refused }) => refused?.code)),
    textArray(rows.map(({ refused }) => refused?.reason)),
    dateArray(rows.map(({ visit }) => visit.fetchedAt)),
  ]);
  return rows.filter(({ imageId }) => imageId !== undefined).map(({ visit }) => visit.due.hash);
}

/** Each content once, however many URLs have it. */
async function writeContents(
  tx: Transaction,
  fetched: ReadonlyArray<{ readonly visit: Visit; readonly image: Visit['image'] }>,
): Promise<ReadonlyMap<string, number>> {
  const contents = new Map<string, { image: KeptImage; seenAt: Date }>();
  for (const { visit, image } of fetched) {
    if (image?.kind === 'kept') contents.set(keyOf(image.contentHash), { image, seenAt: visit.fetchedAt });
  }
  if (contents.size === 0) return new Map();
  const values = [...contents.values()];
  const { rows } = await tx.query<{ id: number; content_hash: Buffer }>(saveImages, [
    byteaArray(values.map(({ image }) => image.contentHash)),
    textArray(values.map(({ image }) => image.contentType)),
    numberArray(values.map(({ image }) => image.byteCount)),
    numberArray(values.map(({ image }) => image.width)),
    numberArray(values.map(({ image }) => image.height)),
    textArray(values.map(({ image }) => image.thumbnailType)),
    dateArray(values.map(({ seenAt }) => seenAt)),
  ]);
  return new Map(rows.map((row) => [keyOf(row.content_hash), row.id]));
}

async function writeUnchanged(tx: Transaction, visits: readonly Visit[]): Promise<void> {
  const unchanged = visits.filter(({ due, outcome }) => due.isImage && outcome.kind === 'not-modified');
  if (unchanged.length === 0) return;
  const ids = numberArray(unchanged.map(({ lease }) => lease.domainId));
  const hashes = byteaArray(unchanged.map(({ due }) => due.hash));
  await tx.query(touchImages, [ids, hashes, dateArray(unchanged.map(({ fetchedAt }) => fetchedAt))]);
  await tx.query(rereadImages, [ids, hashes]);
}

async function writeSeen(
  tx: Transaction,
  visits: readonly Visit[],
  productOf: (visit: Visit) => number | undefined,
): Promise<Showing[]> {
  const rows = visits.flatMap((visit) => (visit.page?.images ?? []).map((image) => ({ visit, image })));
  if (rows.length === 0) return [];
  const saved = await tx.query<{ page_domain_id: number; image_url_hash: Buffer; is_counted: boolean }>(
    saveProvenance,
    [
      numberArray(rows.map(({ visit }) => visit.lease.domainId)),
      byteaArray(rows.map(({ visit }) => visit.due.hash)),
      byteaArray(rows.map(({ image }) => image.hash)),
      textArray(rows.map(({ image }) => image.domain)),
      textArray(rows.map(({ image }) => image.url)),
      numberArray(
        rows.map(({ visit, image }) => (image.kind === 'page' ? null : (productOf(visit) ?? null))),
      ),
      numberArray(rows.map(({ image }) => image.position)),
      textArray(rows.map(({ image }) => image.alt)),
      textArray(rows.map(({ image }) => image.kind)),
      textArray(rows.map(({ visit }) => (visit.due.known === undefined ? 'discovery' : 'refresh'))),
      dateArray(rows.map(({ visit }) => visit.fetchedAt)),
    ],
  );
  const uncounted = saved.rows.filter((row) => !row.is_counted);
  return uncounted.map((row) => ({ domainId: row.page_domain_id, hash: row.image_url_hash }));
}

async function turnVisited(tx: Transaction, visits: readonly Visit[]): Promise<number[]> {
  const others = visits.filter(({ due, outcome }) => outcome.kind === 'unwanted-type' && !due.isImage);
  if (others.length === 0) return [];
  const { rows } = await tx.query<{ domain_id: number }>(turnVisitedSql, [
    numberArray(others.map(({ lease }) => lease.domainId)),
    byteaArray(others.map(({ due }) => due.hash)),
  ]);
  return rows.map((row) => row.domain_id);
}

/** Before the transaction of the batch: if we die in between, the image that has moved is still due. */
export async function enterMovedImages(db: Database, visits: readonly Visit[]): Promise<void> {
  const moved = visits.flatMap(({ due, imageMovedTo }) =>
    imageMovedTo === undefined ? [] : [{ from: due.hash, to: imageMovedTo }],
  );
  if (moved.length === 0) return;
  await inTransaction(db, (tx) =>
    tx.query(copyProvenance, [
      byteaArray(moved.map(({ from }) => from)),
      byteaArray(moved.map(({ to }) => to.hash)),
      textArray(moved.map(({ to }) => to.domain)),
      textArray(moved.map(({ to }) => to.url)),
    ]),
  );
}

/**
 * After it: whichever comes last, the image or the page that shows it, finds the other. If we die in between, they are
 * counted when the page is read again.
 */
export async function countStoredImages(db: Database, { stored, uncounted }: WrittenImages): Promise<void> {
  if (stored.length + uncounted.length === 0) return;
  const { rows } = await db.query<{ domain_id: number; url_hash: Buffer }>(findShowingDomains, [
    byteaArray(stored),
  ]);
  const showing = [...uncounted, ...rows.map((row) => ({ domainId: row.domain_id, hash: row.url_hash }))];
  if (showing.length === 0) return;
  const ids = [...new Set(showing.map(({ domainId }) => domainId))];
  await inTransaction(db, async (tx) => {
    await tx.query(lockShowingDomains, [numberArray(ids)]);
    await tx.query(countStored, [
      numberArray(showing.map(({ domainId }) => domainId)),
      byteaArray(showing.map(({ hash }) => hash)),
    ]);
  });
}

function keyOf(hash: Buffer): string {
  return hash.toString('latin1');
}
