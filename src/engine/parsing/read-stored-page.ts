/** A stored body on the journey: from where its fetch left it to what is written down of it. */
import type { CrawlSettings } from '../crawl-settings.ts';
import type { ParserRegistry } from '../extract/registry.ts';
import type { FetchResult } from '../fetch/fetch-result.ts';
import type { FoundLinks, LinkContext } from '../frontier/find-links.ts';
import { toDueUrl } from '../frontier/read-window.ts';
import { LOGIN_MESSAGES, readPage } from '../journey.ts';
import { validator } from '../make-visit.ts';
import type { BodyLocation, BodyStore } from '../store/body-store.ts';
import type { DueUrl, PageRecord, Visit } from '../visit.ts';
import type { KnownPage } from './known-pages.ts';
import type { ParseTask } from './parse-task.ts';
import { failedReading, type GoodReading, type Reading } from './reading.ts';
import { BodyLost, readStoredBody, type StoredBody, type TaskPlace } from './stored-exchange.ts';

export interface PageReader {
  readonly settings: CrawlSettings;
  readonly warcDirectory: string;
  readonly parsers?: ParserRegistry | undefined;
  readonly linksOf: (task: ParseTask) => LinkContext;
  readonly knownOf: (task: ParseTask, place: TaskPlace) => KnownPage | undefined;
}

/** Never throws: a body that cannot be parsed is a reading that failed. */
export async function readStoredPage(task: ParseTask, reader: PageReader): Promise<Reading> {
  try {
    return await readBody(task, await readStoredBody(reader.warcDirectory, task, reader.settings), reader);
  } catch (error) {
    return failedReading(task, error, error instanceof BodyLost);
  }
}

async function readBody(task: ParseTask, stored: StoredBody, reader: PageReader): Promise<GoodReading> {
  const { exchange, place, location } = stored;
  const fetchedAt = dateOf(task, stored);
  const due = dueOf(task, place, reader.knownOf(task, place));
  const result = resultOf(stored, task);
  const found: FoundLinks = { own: [], foreign: new Map() };
  const { settings, parsers } = reader;
  const context = { settings, parsers, store: storeOf(location), links: reader.linksOf(task) };
  const { page, login, named } = readPage(due, result, fetchedAt, context, found, task.parser_name);
  const visit: Visit = {
    lease: { domainId: task.domain_id, domain: task.domain, parentDomain: task.parent_domain, version: 0 },
    due,
    outcome: {
      ...{ kind: 'page', httpStatus: exchange.status, holdMs: undefined, login },
      message: login === undefined ? undefined : LOGIN_MESSAGES[login],
    },
    fetchedAt,
    durationMs: task.response_time_ms ?? 0,
    bytes: exchange.rawBody.length,
    etag: validator(exchange.headers, 'etag'),
    lastModified: validator(exchange.headers, 'last-modified'),
    page: withoutBody(page),
    isDomainHealthy: false,
    named,
  };
  return { kind: 'read', task, visit, found, body: await page.body };
}

/** A body may be older than the last attempt to fetch it, which failed or found it unchanged. */
function dateOf({ fetched_at: fetchedAt }: ParseTask, { exchange }: StoredBody): Date {
  const isOfThatFetch =
    fetchedAt !== null && Math.abs(fetchedAt.getTime() - exchange.fetchedAt.getTime()) < ARCHIVE_PRECISION_MS;
  return isOfThatFetch ? fetchedAt : exchange.fetchedAt;
}

const ARCHIVE_PRECISION_MS = 1000;

function dueOf(task: ParseTask, { url, hash }: TaskPlace, known: KnownPage | undefined): DueUrl {
  const row = known ?? UNKNOWN;
  return {
    ...toDueUrl({ ...row, url, url_hash: hash }),
    task: {
      ...{ id: task.id, url: task.url, retryCount: task.retry_count, maxRetries: task.max_retries },
      ...{ followDepth: task.follow_depth, followLimit: task.follow_limit },
    },
  };
}

const UNKNOWN = {
  ...{ depth: 0, priority: 3, is_seed: false, redirect_count: 0, error_count: 0 },
  ...{ etag: null, last_modified: null, state: 'never_crawled', content_hash: null },
  ...{ refresh_seconds: null, miss_count: 0 },
};

function resultOf(
  { exchange, body }: StoredBody,
  task: ParseTask,
): Extract<FetchResult, { kind: 'response' }> {
  const { status, headers, rawBody } = exchange;
  return {
    ...{ kind: 'response', status, headers, rawBody, body, isTruncated: false, remoteAddress: undefined },
    timing: { sentAtMs: 0, headersAtMs: undefined, durationMs: task.response_time_ms ?? 0 },
  };
}

/** What the journey archives is in the archive already. */
function storeOf(location: BodyLocation): BodyStore {
  return {
    append: () => Promise.resolve(location),
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function withoutBody(page: PageRecord): PageRecord {
  return { ...page, body: undefined };
}
