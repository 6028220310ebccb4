/** Writes the pages out, with what is derived from their bodies where that is asked for. */
import type { Article } from '../../engine/article/article.ts';
import type { Database } from '../../platform/database.ts';
import { findDomainIds } from '../domains/find-domain.ts';
import { PAGE_FIELDS, type StoredPage } from '../pages/page-row.ts';
import { articleOf, htmlOf, readPageBody, visibleTextOf } from '../pages/read-page-body.ts';
import { type PageFilter, walkPages } from '../pages/read-pages.ts';
import type { ExportFormat } from './row-format.ts';
import { writeRows } from './write-rows.ts';

/** Further fields, read from the kept bodies. */
export const BODY_FIELDS = ['text', 'markdown', 'article', 'visibleText', 'html'] as const;
export type BodyField = (typeof BODY_FIELDS)[number];

export interface ExportPagesRequest {
  readonly format: ExportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
  /** Pages of the domains that belong to this run. */
  readonly runId?: number | undefined;
  /** Only these domains, in any spelling. */
  readonly domains?: readonly string[] | undefined;
  readonly with?: readonly BodyField[] | undefined;
  /** Where the bodies lie; needed for `with`. */
  readonly warcDirectory?: string | undefined;
  /** Pages that ask not to be indexed are left out unless this is set. */
  readonly includeNoindex?: boolean | undefined;
  /** Only pages that are gone from their site, or only others. */
  readonly isGone?: boolean | undefined;
  readonly onProgress?: ((rows: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ExportPagesResult {
  readonly rows: number;
  readonly skippedNoindex: number;
  /** Bodies that a row names but that cannot be read: their fields are null. */
  readonly unreadableBodies: number;
  readonly firstProblem: string | undefined;
}

export async function exportPages(db: Database, request: ExportPagesRequest): Promise<ExportPagesResult> {
  const bodyFields = request.with ?? [];
  const domainIds = request.domains?.length ? await findDomainIds(db, request.domains) : undefined;
  const filter: PageFilter = { domainIds, runId: request.runId, isGone: request.isGone };
  const tally: Tally = { skippedNoindex: 0, unreadableBodies: 0, firstProblem: undefined };
  const rows = await writeRows(
    selectRows(walkPages(db, filter), request, bodyFields, tally),
    [...PAGE_FIELDS, ...bodyFields],
    request,
  );
  return { rows, ...tally };
}

interface Tally {
  skippedNoindex: number;
  unreadableBodies: number;
  firstProblem: string | undefined;
}

async function* selectRows(
  pages: AsyncIterable<StoredPage>,
  request: ExportPagesRequest,
  bodyFields: readonly BodyField[],
  tally: Tally,
): AsyncGenerator<Record<string, unknown>> {
  for await (const page of pages) {
    // Read and counted rather than left out by the query: people want to know how many there were.
    if (page.noindex && request.includeNoindex !== true) tally.skippedNoindex += 1;
    else if (bodyFields.length === 0) yield { ...page };
    else yield { ...page, ...(await deriveFields(page, request.warcDirectory, bodyFields, tally)) };
  }
}

async function deriveFields(
  page: StoredPage,
  warcDirectory: string | undefined,
  bodyFields: readonly BodyField[],
  tally: Tally,
): Promise<Record<string, unknown>> {
  if (warcDirectory === undefined) throw new Error('an export with bodies needs the directory they are in');
  const body = await readPageBody(warcDirectory, page);
  if (body.kind === 'unreadable') {
    tally.unreadableBodies += 1;
    tally.firstProblem ??= body.message;
  }
  if (body.kind !== 'kept') return {};
  let article: Article | undefined;
  const derive = (field: BodyField): unknown => {
    if (field === 'html') return htmlOf(body);
    if (field === 'visibleText') return visibleTextOf(body);
    article ??= articleOf(body, page.url);
    return field === 'article' ? article : article[field];
  };
  return Object.fromEntries(bodyFields.map((field) => [field, derive(field)]));
}
