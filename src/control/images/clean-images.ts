/**
 * Removes images that nothing refers to any more, with their files, and files that no image refers to: what a worker
 * left that was killed between writing a file and its row.
 *
 * A worker may be storing the same content at this very moment. Rows are written under a lock that is shared among
 * workers and not with whoever removes; a worker that finds its file gone under that lock fetches the image again. So
 * a row never names a file that was removed here. What was put into the store within the grace is left alone anyway.
 */
import type { BlobStore } from '../../engine/images/blob-store.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { byteaArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const lockBlobs = load('lock-blobs');
const deleteUnseen = load('delete-unseen-images');
const findKnown = load('find-known-hashes');

const PORTION_ROWS = 500;
const PORTION_FILES = 200;
const HOUR_MS = 3_600_000;
export const GRACE_HOURS = 24;

export interface CleanedImages {
  readonly images: number;
  readonly files: number;
}

export interface CleanOptions {
  readonly graceHours?: number;
  readonly onProgress?: (soFar: CleanedImages) => void;
  readonly signal?: AbortSignal;
}

export async function cleanImages(
  db: Database,
  blobs: BlobStore,
  { graceHours = GRACE_HOURS, onProgress, signal }: CleanOptions = {},
): Promise<CleanedImages> {
  let images = 0;
  let files = 0;
  for (let afterId = 0; signal?.aborted !== true; ) {
    const portion = await removeImages(db, blobs, afterId, graceHours);
    images += portion.count;
    onProgress?.({ images, files });
    if (portion.lastId === undefined) break;
    afterId = portion.lastId;
  }
  const before = new Date(now().getTime() - graceHours * HOUR_MS);
  let waiting: Buffer[] = [];
  let fresh: Buffer | undefined;
  for await (const { hash, putAt } of blobs.list(before)) {
    if (signal?.aborted === true) return { images, files };
    // A content is as new as the newest of its files; the original is listed first.
    if (putAt > before) fresh = hash;
    if (fresh?.equals(hash) === true) continue;
    if (waiting.at(-1)?.equals(hash) !== true) waiting.push(hash);
    if (waiting.length < PORTION_FILES) continue;
    files += await removeFiles(db, blobs, waiting);
    onProgress?.({ images, files });
    waiting = [];
  }
  files += await removeFiles(db, blobs, waiting);
  return { images, files };
}

/** The files go while the rows are being deleted: if this fails halfway the rows are still there, and so is the way. */
function removeImages(
  db: Database,
  blobs: BlobStore,
  afterId: number,
  graceHours: number,
): Promise<{ count: number; lastId: number | undefined }> {
  return inTransaction(db, async (tx) => {
    await tx.query(lockBlobs);
    const { rows } = await tx.query<{ lastId: number | null; hashes: Buffer[] }>(deleteUnseen, [
      ...[afterId, PORTION_ROWS, graceHours],
    ]);
    const { lastId, hashes } = rows[0] ?? { lastId: null, hashes: [] };
    for (const hash of hashes) await blobs.remove(hash);
    return { count: hashes.length, lastId: lastId ?? undefined };
  });
}

function removeFiles(db: Database, blobs: BlobStore, hashes: readonly Buffer[]): Promise<number> {
  if (hashes.length === 0) return Promise.resolve(0);
  return inTransaction(db, async (tx) => {
    await tx.query(lockBlobs);
    const { rows } = await tx.query<{ hash: Buffer }>(findKnown, [byteaArray(hashes)]);
    const known = new Set(rows.map(({ hash }) => hash.toString('hex')));
    const orphans = hashes.filter((hash) => !known.has(hash.toString('hex')));
    for (const hash of orphans) await blobs.remove(hash);
    return orphans.length;
  });
}
