/** Writes out every place where an image was seen, with what became of the image. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomainIds } from '../domains/find-domain.ts';
import type { ExportRowsRequest } from '../export/export-urls.ts';
import { writeRows } from '../export/write-rows.ts';

const readPortion = loadSql(import.meta.url, './read-portion.sql');

const IMAGE_FIELDS = [
  ...(['url', 'id', 'contentType', 'byteCount', 'width', 'height', 'contentHash', 'refused'] as const),
  ...(['pageUrl', 'pageDomain', 'productId', 'kind', 'position', 'alt', 'discoveryType'] as const),
  ...(['firstSeenAt', 'lastSeenAt'] as const),
] as const;

export async function exportImages(
  db: Database,
  request: Omit<ExportRowsRequest, 'runId'>,
): Promise<{ rows: number }> {
  const domainIds = request.domains?.length ? await findDomainIds(db, request.domains) : undefined;
  return { rows: await writeRows(walkImages(db, domainIds), IMAGE_FIELDS, request) };
}

interface PlaceRow extends Record<string, unknown> {
  readonly domainId: number;
  readonly pageHash: Buffer;
  readonly imageHash: Buffer;
}

const PORTION = 1000;

async function* walkImages(db: Database, domainIds: readonly number[] | undefined): AsyncGenerator<PlaceRow> {
  let after: readonly [number, Buffer, Buffer] = [0, Buffer.alloc(0), Buffer.alloc(0)];
  for (;;) {
    const { rows } = await db.query<PlaceRow>(readPortion, [...after, domainIds ?? null, PORTION]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION) return;
    after = [last.domainId, last.pageHash, last.imageHash];
  }
}
