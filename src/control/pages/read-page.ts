/** All that is known of one page. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { PageRow, StoredPage } from './page-row.ts';

const readRow = loadSql(import.meta.url, './read-page.sql');
const readLog = loadSql(import.meta.url, './read-page-log.sql');

const LOG_LINES = 20;

/** When its URL is read again, and what its readings have shown. */
export interface PageSchedule {
  readonly urlState: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  readonly nextCrawlAt: Date | null;
  readonly lastVisitAt: Date | null;
  readonly lastOutcome: string | null;
  readonly refreshSeconds: number | null;
  readonly visits: number;
  readonly changes: number;
  readonly misses: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface PageLogLine {
  readonly fetchedAt: Date;
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly attempt: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly discoveryType: 'discovery' | 'refresh';
  readonly run: number | null;
  /** Null: it was asked for directly. */
  readonly proxyId: number | null;
  readonly message: string | null;
}

export interface PageDetails extends PageRow {
  readonly hasBody: boolean;
  /** Null: the URL is not known any more. */
  readonly schedule: PageSchedule | null;
  readonly log: readonly PageLogLine[];
}

type Row = StoredPage &
  Omit<PageSchedule, 'urlState'> & {
    readonly domainId: number;
    readonly urlHash: Buffer;
    readonly urlState: PageSchedule['urlState'] | null;
  };

export async function readPage(db: Database, id: number): Promise<PageDetails> {
  const [row] = (await db.query<Row>(readRow, [id])).rows;
  if (row === undefined) {
    throw new ForagerError('unknown-page', `There is no page with the id ${id}.`, {
      hint: 'a page that was purged and read again has another id',
    });
  }
  const { segment, segmentOffset: _offset, segmentLength: _length, domainId, urlHash, ...rest } = row;
  const { urlState, nextCrawlAt, lastVisitAt, lastOutcome, refreshSeconds, ...more } = rest;
  const { visits, changes, misses, etag, lastModified, ...page } = more;
  const times = { nextCrawlAt, lastVisitAt, lastOutcome, refreshSeconds };
  const schedule = { ...times, visits, changes, misses, etag, lastModified };
  const log = await db.query<PageLogLine>(readLog, [domainId, urlHash, LOG_LINES]);
  return {
    ...page,
    hasBody: segment !== null,
    schedule: urlState === null ? null : { urlState, ...schedule },
    log: log.rows,
  };
}
