/**
 * Pages that bots hand in go where our own fetches go: into WARC segments, those of the process that took them. The
 * record says that a bot handed it in. Of the exchange only the body, and the status where the bot told it, are known;
 * the head says that it is HTML in UTF-8, which is how it was handed in, and nothing else.
 *
 * Bytes are on the disk before a row names them, and before anybody's row is locked: those who hand in pages at the
 * same time wait for the disk together.
 */
import { openWarcStore } from '../../engine/store/open-warc-store.ts';
import { segmentIds } from '../../engine/store/segment-ids.ts';
import { StoreError } from '../../engine/store/store-error.ts';
import type { WarcStore } from '../../engine/store/warc-store.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { readProgramVersion } from '../../platform/program-version.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { shareCalls } from './share-calls.ts';

export interface HandedInPage {
  /** As the task has it: whoever parses it looks for this. */
  readonly url: string;
  readonly html: string;
  /** Null: the bot did not tell. */
  readonly httpStatus: number | null;
  readonly crawledAt: Date;
}

export interface HtmlPlace {
  readonly segmentId: number;
  readonly offset: number;
  readonly length: number;
}

export interface KeptHtml {
  /** For the row that names it. */
  place(tx: Transaction): Promise<HtmlPlace>;
}

export interface HtmlKeeper {
  /**
   * Resolves when the bytes are on the disk. Throws `disk-full` or `archive-unavailable`: the same may be handed in
   * again later.
   */
  keep(page: HandedInPage): Promise<KeptHtml>;
  /** Those that are being kept are; further ones are refused. */
  close(): Promise<void>;
}

export interface HtmlKeeperOptions {
  readonly db: Pick<Database, 'pool'>;
  readonly directory: string;
  readonly robots: 'obey' | 'ignore';
}

interface OpenStore {
  readonly store: WarcStore;
  readonly sync: () => Promise<void>;
  /** By the names of its segments. */
  readonly ids: Map<string, Promise<number>>;
}

/** The archive is opened with the first page; after a failure (a full disk) it is opened anew with the next. */
export function createHtmlKeeper({ db, directory, robots }: HtmlKeeperOptions): HtmlKeeper {
  let current: Promise<OpenStore> | undefined;
  let isClosed = false;

  const open = (): Promise<OpenStore> => {
    current ??= openStore(directory, robots);
    return current;
  };
  const forget = (broken: Promise<OpenStore>): void => {
    if (current !== broken) return;
    current = undefined;
    broken.then(({ store }) => store.close()).catch(() => undefined);
  };

  return {
    async keep(page) {
      if (isClosed) throw new ForagerError('archive-unavailable', 'The server is being stopped.');
      const opening = open();
      const fail = (error: unknown): never => {
        forget(opening);
        throw describeFailure(error);
      };
      const { store, sync, ids } = await opening.catch(fail);
      const { segment, offset, length } = await store.append(exchangeOf(page)).catch(fail);
      await sync().catch(fail);
      const segmentId = await idOf(db, ids, segment);
      return { place: () => Promise.resolve({ segmentId, offset, length }) };
    },
    async close() {
      isClosed = true;
      const opened = await current?.catch(() => undefined);
      await opened?.store.close().catch(() => undefined);
    },
  };
}

async function openStore(directory: string, robots: 'obey' | 'ignore'): Promise<OpenStore> {
  const software = `Forager/${readProgramVersion()}`;
  const store = await openWarcStore(directory, { software, robots });
  return { store, sync: shareCalls(() => store.sync()), ids: new Map() };
}

/** Written down once for each segment, by itself: those who hand in pages at the same time do not wait for each other. */
function idOf(
  db: Pick<Database, 'pool'>,
  ids: Map<string, Promise<number>>,
  segment: string,
): Promise<number> {
  const known = ids.get(segment);
  if (known !== undefined) return known;
  const asked = inTransaction(db, (tx) => segmentIds(tx, new Set([segment]))).then((found) => {
    const id = found.get(segment);
    if (id === undefined) throw new Error(`the segment ${segment} has no number`);
    return id;
  });
  ids.set(segment, asked);
  asked.catch(() => ids.delete(segment));
  return asked;
}

function exchangeOf({ url, html, httpStatus, crawledAt }: HandedInPage) {
  const latest = now();
  const seen = httpStatus === null ? 'the body was told, no status' : 'the status and the body were told';
  return {
    url,
    // One that has not come yet is that of a wrong clock.
    fetchedAt: crawledAt < latest ? crawledAt : latest,
    status: httpStatus ?? ASSUMED_STATUS,
    headers: ['Content-Type', 'text/html; charset=utf-8'],
    rawBody: Buffer.from(html, 'utf8'),
    remoteAddress: undefined,
    origin: `handed in by a bot: ${seen}; the head is not that of the server`,
  };
}

/** An archived response needs one. */
const ASSUMED_STATUS = 200;

function describeFailure(error: unknown): Error {
  if (!(error instanceof StoreError)) return error instanceof Error ? error : new Error(String(error));
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === 'EFBIG';
  return new ForagerError(
    isFull ? 'disk-full' : 'archive-unavailable',
    isFull ? 'There is no space left for the page.' : 'The page cannot be kept at the moment.',
    { hint: 'hand it in again in a while, or without raw_html', cause: error },
  );
}
