/**
 * After a crash: segments whose writer is gone may end in half a record. They are cut back to the last whole
 * one, so that every WARC tool reads them. Nothing that was synced is ever cut: rows refer only to that.
 */
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenMarker, parseMarker } from './open-marker.ts';
import { walkMembers } from './segment-members.ts';
import { DRAFT_SUFFIX, OPEN_SUFFIX, segmentOfCompanion } from './segment-name.ts';
import { toWriteError } from './store-error.ts';

export interface SegmentWriterMark {
  readonly writerId: string;
  /** As given to `createWarcStore`. */
  readonly owner: string;
  /** When the writer last synced: tells a forgotten marker of another machine from a live one. */
  readonly lastSyncedAt: Date;
}

export interface SegmentRepair {
  readonly segment: string;
  readonly kind: 'intact' | 'cut' | 'removed';
  readonly cutBytes: number;
}

/** Safe to run from several processes at once: they cut the same file at the same place. */
export async function repairSegments(
  directory: string,
  isWriterAlive: (writer: SegmentWriterMark) => boolean | Promise<boolean>,
): Promise<SegmentRepair[]> {
  const repairs: SegmentRepair[] = [];
  for (const fileName of await listDirectory(directory)) {
    const segment = segmentOfCompanion(fileName, OPEN_SUFFIX);
    if (segment === undefined) continue;
    const markerPath = join(directory, fileName);
    const marked = await readMarker(markerPath);
    if (!marked || (await isWriterAlive(marked.writer))) continue;
    const path = join(directory, segment);
    try {
      const cutBytes = await cutToWholeRecords(path, marked.marker.syncedBytes);
      await rm(`${path}${DRAFT_SUFFIX}`, { force: true });
      await rm(markerPath, { force: true });
      if (cutBytes === undefined) repairs.push({ segment, kind: 'removed', cutBytes: 0 });
      else repairs.push({ segment, kind: cutBytes > 0 ? 'cut' : 'intact', cutBytes });
    } catch (error) {
      throw toWriteError(error, path);
    }
  }
  return repairs;
}

async function listDirectory(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw toWriteError(error, directory);
  }
}

async function readMarker(path: string) {
  try {
    const [text, { mtime }] = await Promise.all([readFile(path, 'latin1'), stat(path)]);
    const marker: OpenMarker = parseMarker(text);
    return { marker, writer: { writerId: marker.writerId, owner: marker.owner, lastSyncedAt: mtime } };
  } catch (error) {
    // Closed by its writer, or repaired by another process, a moment ago.
    if (isMissing(error)) return undefined;
    throw toWriteError(error, path);
  }
}

/** Returns how many bytes were cut; undefined if there is no segment, or none left. */
async function cutToWholeRecords(path: string, syncedBytes: number): Promise<number | undefined> {
  let size: number;
  let end = 0;
  try {
    const file = await open(path, 'r+');
    try {
      size = (await file.stat()).size;
      // A count beyond the file cannot be ours to trust; then everything is read.
      for await (const member of walkMembers(file, syncedBytes <= size ? syncedBytes : 0)) {
        if (member.kind === 'end') end = member.offset;
      }
      if (end < size) await file.truncate(end);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  if (end > 0) return size - end;
  await rm(path, { force: true });
  return undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
