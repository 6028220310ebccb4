/** Are the page bodies where the rows say, and has every writer closed its file? */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isWorkerGone } from '../../engine/claim/worker-identity.ts';
import { parseMarker } from '../../engine/store/open-marker.ts';
import { isSegmentName, OPEN_SUFFIX, segmentOfCompanion } from '../../engine/store/segment-name.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const listSegments = loadSql(import.meta.url, './list-segments.sql');
const NAME = 'page bodies';

export async function checkBodies(db: Database, directory: string): Promise<Check[]> {
  const named = await readNamed(db);
  const files = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const segments = files.filter(isSegmentName);
  const missing = named.filter((name) => !segments.includes(name));
  const bytes = await sumSizes(directory, segments);
  const checks = [
    missing.length === 0
      ? ok(
          NAME,
          `${segments.length} WARC ${segments.length === 1 ? 'file' : 'files'}, ${(bytes / 1e6).toFixed(1)} MB, in ${directory}`,
        )
      : wrong(
          NAME,
          `${missing.length} of ${named.length} WARC files are not in ${directory} (the first: ${missing[0]})`,
          'restore them from a backup; the pages in them have no text or Markdown until they are fetched again',
        ),
  ];
  const left = await listLeftOpen(directory, files);
  if (left.length > 0) {
    const message = `${left.length} WARC ${left.length === 1 ? 'file was' : 'files were'} left open by a crawl that was killed`;
    checks.push(
      warning(
        'open bodies',
        message,
        'nothing: the next crawl cuts off the half-written end, and no page refers to that',
      ),
    );
  }
  return checks;
}

async function readNamed(db: Database): Promise<string[]> {
  try {
    return (await db.query<{ name: string }>(listSegments)).rows.map((row) => row.name);
  } catch (error) {
    // No schema yet: nothing is named.
    if (errorCode(error) === '42P01') return [];
    throw error;
  }
}

async function sumSizes(directory: string, files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files)
    bytes += (await stat(path.join(directory, file)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

async function listLeftOpen(directory: string, files: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const file of files) {
    if (segmentOfCompanion(file, OPEN_SUFFIX) === undefined) continue;
    const text = await readFile(path.join(directory, file), 'latin1').catch(() => undefined);
    if (text !== undefined && isWorkerGone(parseMarker(text).owner)) left.push(file);
  }
  return left;
}
