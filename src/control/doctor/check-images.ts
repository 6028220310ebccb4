/** Where do images lie, can they be written there, and are those that rows name on this machine? */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { localBlobStore } from '../../engine/images/blob-store.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const listLatest = loadSql(import.meta.url, './list-latest-images.sql');
const NAME = 'images';
/** Enough to tell a directory that is not shared; all of them may be millions. */
const SAMPLE = 200;

export async function checkImages(db: Database, directory: string): Promise<Check[]> {
  const obstacle = await findObstacle(directory);
  if (obstacle !== undefined) {
    const fix =
      'give it to the user that runs Forager (chown), or choose another one with FORAGER_IMAGES_DIR';
    return [wrong(NAME, `images cannot be kept in ${directory}: ${obstacle}`, fix)];
  }
  const hashes = await readLatest(db);
  if (hashes.length === 0) return [ok(NAME, `none yet; they are kept in ${directory}`)];
  const blobs = localBlobStore(directory);
  const isHere = await Promise.all(hashes.map((hash) => blobs.has(hash)));
  const missing = isHere.filter((here) => !here).length;
  const latest = `the latest ${hashes.length}`;
  if (missing === 0) return [ok(NAME, `in ${directory}; ${latest} that were looked for are there`)];
  return [
    warning(
      NAME,
      `${missing} of ${latest} images are not in ${directory}`,
      'let workers and servers share a directory (FORAGER_IMAGES_DIR), or restore it from a backup',
    ),
  ];
}

/** Why nothing can be written there; undefined: it can. One that is not there yet is made with the first image. */
async function findObstacle(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return 'it is not a directory';
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') return 'what is above it is not a directory';
    if (code !== 'ENOENT') return `it cannot be looked at (${code ?? String(error)})`;
    const parent = path.dirname(directory);
    return parent === directory ? 'it is not there' : findObstacle(parent);
  }
  const mayWrite = await access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return mayWrite ? undefined : `${directory} cannot be written to by this user`;
}

async function readLatest(db: Database): Promise<Buffer[]> {
  try {
    return (await db.query<{ hash: Buffer }>(listLatest, [SAMPLE])).rows.map(({ hash }) => hash);
  } catch (error) {
    // No schema yet, or an older one: nothing is named.
    if (errorCode(error) === '42P01') return [];
    throw error;
  }
}
