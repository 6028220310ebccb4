/**
 * Names of the files in an archive directory. A segment has its final name from its first byte on, because
 * rows name it; that it is still being written is said by a marker file beside it.
 */

export const OPEN_SUFFIX = '.open';
export const DRAFT_SUFFIX = '.draft';

const WRITER_ID = /^[A-Za-z0-9_]{1,64}$/;
const SEGMENT = /^forager-\d{8}T\d{6}Z-[A-Za-z0-9_]{1,64}-\d{5,9}\.warc\.gz$/;

export function isWriterId(text: string): boolean {
  return WRITER_ID.test(text);
}

/** forager-20261115T074318Z-<writer>-00000.warc.gz */
export function formatSegmentName(createdAt: Date, writerId: string, serial: number): string {
  const second = createdAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `forager-${second}Z-${writerId}-${String(serial).padStart(5, '0')}.warc.gz`;
}

/** Rows may be edited and databases imported: only our own names, never a path, reach the file system. */
export function isSegmentName(text: string): boolean {
  return SEGMENT.test(text);
}

/** The segment a marker or a draft belongs to; undefined for any other file. */
export function segmentOfCompanion(fileName: string, suffix: string): string | undefined {
  if (!fileName.endsWith(suffix)) return undefined;
  const segment = fileName.slice(0, -suffix.length);
  return isSegmentName(segment) ? segment : undefined;
}
