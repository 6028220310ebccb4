/**
 * Where the bytes of images lie: content-addressed, under the hash of the original. One port: a local directory now,
 * object storage later.
 *
 * A blob is whole or not there: it is written under another name, made durable, and renamed. Nothing here knows which
 * of them a row names; that they are there before it is for whoever writes the row, and what no row names any more is
 * for `db cleanup`.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { now } from '../../platform/clock.ts';
import { StoreError, toWriteError } from '../store/store-error.ts';

export type BlobVariant = 'original' | 'thumbnail';

export interface OpenedBlob {
  readonly byteCount: number;
  readonly stream: Readable;
}

export interface StoredBlob {
  readonly hash: Buffer;
  readonly variant: BlobVariant;
  /** When it was last put here. */
  readonly putAt: Date;
}

export interface BlobStore {
  /** Durable when it resolves. What is there already is not written again, but counts as put here now. */
  put(hash: Buffer, variant: BlobVariant, bytes: Buffer): Promise<void>;
  has(hash: Buffer): Promise<boolean>;
  /** Undefined: it is not here. */
  open(hash: Buffer, variant: BlobVariant): Promise<OpenedBlob | undefined>;
  /** The original and its thumbnail; what is not there is removed already. */
  remove(hash: Buffer): Promise<void>;
  /** Every blob, in the order of their hashes. What was half-written before `abandonedBefore` is removed on the way. */
  list(abandonedBefore: Date): AsyncGenerator<StoredBlob>;
}

const SUFFIX: Readonly<Record<BlobVariant, string>> = { original: '', thumbnail: '.thumb.webp' };
const BLOB_NAME = /^([0-9a-f]{64})(\.thumb\.webp)?$/;
const HALF_WRITTEN = /\.tmp$/;
const FOLDER = /^[0-9a-f]{2}$/;

export function localBlobStore(directory: string): BlobStore {
  const folderOf = (hash: Buffer): string => {
    const name = hash.toString('hex');
    return path.join(directory, name.slice(0, 2), name.slice(2, 4));
  };
  const pathOf = (hash: Buffer, variant: BlobVariant): string =>
    path.join(folderOf(hash), `${hash.toString('hex')}${SUFFIX[variant]}`);

  return {
    async put(hash, variant, bytes) {
      const file = pathOf(hash, variant);
      try {
        if (await renew(file, bytes.length)) return;
        await mkdir(folderOf(hash), { recursive: true });
        await writeWhole(file, bytes);
      } catch (error) {
        throw toWriteError(error, directory, 'Images');
      }
    },
    async has(hash) {
      return (await statOf(pathOf(hash, 'original'))) !== undefined;
    },
    async open(hash, variant) {
      const file = pathOf(hash, variant);
      try {
        const handle = await open(file, 'r');
        const { size } = await handle.stat();
        return { byteCount: size, stream: handle.createReadStream() };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw new StoreError('EIO', file, `An image cannot be read from ${directory}: ${messageOf(error)}.`);
      }
    },
    async remove(hash) {
      // The original last: as long as it is there, the thumbnail is found to be missing, not the image.
      await rm(pathOf(hash, 'thumbnail'), { force: true });
      await rm(pathOf(hash, 'original'), { force: true });
    },
    async *list(abandonedBefore) {
      for (const first of await foldersOf(directory)) {
        for (const second of await foldersOf(path.join(directory, first))) {
          yield* listFolder(path.join(directory, first, second), abandonedBefore);
        }
      }
    },
  };
}

/** It is there: from now on it is as new as any. False: it is not, or not whole. */
async function renew(file: string, byteCount: number): Promise<boolean> {
  const known = await statOf(file);
  // Of another length it was damaged: the same name means the same bytes.
  if (known === undefined || known.size !== byteCount) return false;
  const at = now();
  try {
    await utimes(file, at, at);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(half, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** A name is durable only once its folder is; not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch {
    // Nothing better can be done there.
  } finally {
    await handle.close();
  }
}

async function* listFolder(folder: string, abandonedBefore: Date): AsyncGenerator<StoredBlob> {
  for (const name of (await readdir(folder)).sort()) {
    const file = path.join(folder, name);
    const match = BLOB_NAME.exec(name);
    if (match === null && !HALF_WRITTEN.test(name)) continue;
    const known = await statOf(file);
    if (known === undefined) continue;
    if (match === null) {
      if (known.mtime < abandonedBefore) await rm(file, { force: true });
      continue;
    }
    const variant = match[2] === undefined ? 'original' : 'thumbnail';
    yield { hash: Buffer.from(match[1] ?? '', 'hex'), variant, putAt: known.mtime };
  }
}

async function foldersOf(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => FOLDER.test(name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
