/** The exchange that a task's fetch has kept, checked: a body that is gone, damaged or another one's is not parsed. */
import { stat } from 'node:fs/promises';
import { errorCode } from '../../platform/errors.ts';
import { canonicalDomain } from '../frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import type { BodyLocation, StoredExchange } from '../store/body-store.ts';
import { decodeStoredBody } from '../store/decode-stored-body.ts';
import { readExchange } from '../store/read-exchange.ts';
import { StoreError } from '../store/store-error.ts';
import { toUri } from '../store/warc-record.ts';
import type { ParseTask } from './parse-task.ts';

/** A URL that the body of a task may have been read from: where redirects had led, or the one that was ordered. */
export interface TaskPlace {
  readonly url: string;
  readonly hash: Buffer;
}

export interface StoredBody {
  readonly exchange: StoredExchange;
  /** Decoded. */
  readonly body: Buffer;
  readonly place: TaskPlace;
  readonly location: BodyLocation;
}

/** Trying again would bring the same. */
export class BodyLost extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BodyLost';
    this.code = code;
  }
}

/** The fetcher's own cap may have been higher when it was fetched. */
const LEAST_CAP_BYTES = 64 * 1024 * 1024;

export async function readStoredBody(
  warcDirectory: string,
  task: ParseTask,
  settings: { readonly maxBodyBytes: number; readonly stripTrailingSlash: boolean },
): Promise<StoredBody> {
  const { segment, segment_offset: offset, segment_length: length } = task;
  if (segment === null || offset === null || length === null) {
    throw new BodyLost('not-kept', `no body was kept; ${FETCH_AGAIN}`);
  }
  const location = { segment, offset, length };
  try {
    const exchange = await readExchange(warcDirectory, location);
    const places = taskPlaces(task, settings);
    // As the record spells it, if any does: the page is to name the URL under which its body is found.
    const place =
      places.find(({ url }) => toUri(url) === exchange.url) ??
      places.find((each) => isOf(exchange, each, settings));
    if (place === undefined) {
      throw new BodyLost('wrong-body', `${describe(location)} is that of ${exchange.url}; ${FETCH_AGAIN}`);
    }
    const body = decodeStoredBody(exchange, Math.max(settings.maxBodyBytes, LEAST_CAP_BYTES));
    return { exchange, body, place, location };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw await judgeStoreError(error, location);
  }
}

/** The URLs that its body may be that of, the likelier one first. */
export function taskPlaces(
  task: ParseTask,
  { stripTrailingSlash }: { readonly stripTrailingSlash: boolean },
): TaskPlace[] {
  const ordered = { url: task.url, hash: task.url_hash };
  const { final_url: url, domain } = task;
  const normal = url === null ? undefined : normalizeUrl(url, { stripTrailingSlash });
  // One that went on at another domain goes on there as another task.
  if (normal === undefined || normal.kind === 'bad' || canonicalDomain(normal.url) !== domain)
    return [ordered];
  return [{ url: normal.url, hash: hashUrlKey(normal.key) }, ordered];
}

/** However the record spells it: it may be that of a page that was found unchanged. */
function isOf(
  { url }: StoredExchange,
  { hash }: TaskPlace,
  { stripTrailingSlash }: { readonly stripTrailingSlash: boolean },
): boolean {
  const normal = normalizeUrl(url, { stripTrailingSlash });
  return normal.kind !== 'bad' && hashUrlKey(normal.key).equals(hash);
}

const FETCH_AGAIN = 'restart the task to fetch it again';

/** A segment that is there and cannot be opened at the moment (no file descriptor, no permission) may be later. */
async function judgeStoreError(error: StoreError, location: BodyLocation): Promise<Error> {
  const { code, path } = error;
  if (code === 'MISSING_SEGMENT') {
    if (!(await isGone(path))) return error;
    return new BodyLost('missing-body', `${describe(location)} is not there; ${FETCH_AGAIN}`, error);
  }
  if (code === 'MISSING_RECORD') {
    const message = `${describe(location)} is not there, its segment is too short; ${FETCH_AGAIN}`;
    return new BodyLost('missing-body', message, error);
  }
  const reason = code.toLowerCase().replaceAll('_', ' ');
  return new BodyLost(
    'unreadable-body',
    `${describe(location)} is unreadable (${reason}); ${FETCH_AGAIN}`,
    error,
  );
}

async function isGone(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    return errorCode(error) === 'ENOENT';
  }
}

function describe({ segment, offset }: BodyLocation): string {
  return `the stored body (byte ${offset} of segment ${segment})`;
}
