/**
 * Builds an index anew from the database, beside the one that is searched, and puts it in its place in one moment.
 * Changes go to both meanwhile: they carry versions above 1, which is that of every copy made here, so a copy never
 * replaces something newer. Interrupted, it goes on where it was.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { SearchServerError } from '../search-server-error.ts';
import { type Change, sendBulk, type Verdict } from './bulk.ts';
import { nextIds, readDocuments } from './documents.ts';
import { aliasOf, buildingAliasOf, type IndexKind, indexBody } from './indexes.ts';
import type { SearchTransport } from './transport.ts';

const beginReindex = loadSql(import.meta.url, './begin-reindex.sql');
const readReindex = loadSql(import.meta.url, './read-reindex.sql');
const moveReindex = loadSql(import.meta.url, './move-reindex.sql');
const endReindex = loadSql(import.meta.url, './end-reindex.sql');
const countDocuments = loadSql(import.meta.url, './count-documents.sql');

const PORTION = 500;
const COPY_VERSION = 1;
/** Any numbers will do, as long as everybody uses the same. */
const LOCK_IDS: Readonly<Record<IndexKind, number>> = { product: 7_240_008, page: 7_240_009 };
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

export interface Reindexing {
  readonly db: Database;
  readonly transport: Pick<SearchTransport, 'request'>;
  readonly prefix: string;
}

export interface ReindexReport {
  readonly kind: IndexKind;
  readonly index: string;
  readonly copied: number;
  /** The server will not take them. */
  readonly rejected: number;
}

export async function reindex(
  parts: Reindexing,
  kind: IndexKind,
  onProgress: (done: number, total: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<ReindexReport> {
  // A connection of its own holds the lock: it goes with the process, however that ends.
  const holder = await parts.db.pool.connect();
  try {
    const { rows } = await holder.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      LOCK_IDS[kind],
    ]);
    if (rows[0]?.isOurs !== true) {
      throw new ForagerError('search-reindexing', `The index of ${kind}s is being built already.`, {
        hint: '"forager search status" tells how far it is',
      });
    }
    return await build(parts, kind, onProgress, signal);
  } finally {
    // Ended, not given back: with it goes the lock.
    holder.release(true);
  }
}

async function build(
  { db, transport, prefix }: Reindexing,
  kind: IndexKind,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal | undefined,
): Promise<ReindexReport> {
  const alias = aliasOf(prefix, kind);
  const { index, afterId } = await openIndex(db, transport, alias, kind);
  const total = (await db.query<{ count: number }>(countDocuments, [kind === 'product'])).rows[0]?.count ?? 0;
  let [after, copied, rejected] = [afterId, 0, 0];
  for (;;) {
    signal?.throwIfAborted();
    const ids = await nextIds(db, kind, after, PORTION);
    const last = ids.at(-1);
    if (last === undefined) break;
    const documents = await readDocuments(db, kind, ids);
    const target = buildingAliasOf(index);
    const changes = [...documents].map(([id, document]) => ({
      ...{ alias: target, id, version: COPY_VERSION, document },
    }));
    const verdicts = await sendUntilTaken(transport, changes, signal);
    rejected += verdicts.filter((verdict) => verdict.kind === 'never').length;
    copied += documents.size;
    after = last;
    await inTransaction(db, (tx) => tx.query(moveReindex, [kind, last]));
    onProgress(copied, total);
  }
  await transport.request({ method: 'POST', path: `/${index}/_refresh` });
  await swap(transport, alias, index);
  await inTransaction(db, (tx) => tx.query(endReindex, [kind, index]));
  return { kind, index, copied, rejected };
}

/** The one that was begun, where the server still has it; else a new one. */
async function openIndex(
  db: Database,
  transport: Pick<SearchTransport, 'request'>,
  alias: string,
  kind: IndexKind,
): Promise<{ index: string; afterId: number }> {
  const [begun] = (await db.query<{ indexName: string; afterId: number }>(readReindex, [kind])).rows;
  if (begun?.indexName.startsWith(`${alias}-`)) {
    // One that is in its place already has this alias no more.
    const path = `/_alias/${buildingAliasOf(begun.indexName)}`;
    const { status } = await transport.request({ method: 'GET', path, expects: [404] });
    if (status === 200) return { index: begun.indexName, afterId: begun.afterId };
  }
  await refuseForeignIndex(transport, alias);
  const index = `${alias}-${now().toISOString().replace(/\D/g, '')}`;
  await transport.request({ method: 'PUT', path: `/${index}`, body: indexBody(kind, index) });
  // From here on changes go to it as well; what is committed before is seen by the reading that follows.
  await inTransaction(db, (tx) => tx.query(beginReindex, [kind, index]));
  return { index, afterId: 0 };
}

/** An index that has the name of the alias could never be swapped: better told before everything is copied. */
async function refuseForeignIndex(transport: Pick<SearchTransport, 'request'>, alias: string): Promise<void> {
  const ask = { expects: [404] } as const;
  if ((await transport.request({ ...ask, method: 'HEAD', path: `/${alias}` })).status === 404) return;
  if ((await transport.request({ ...ask, method: 'GET', path: `/_alias/${alias}` })).status === 200) return;
  throw new SearchServerError(
    `it has an index "${alias}" that is not Forager's: delete it, or choose another FORAGER_SEARCH_PREFIX`,
    400,
  );
}

/** A server that has too much to do is given time. */
async function sendUntilTaken(
  transport: Pick<SearchTransport, 'request'>,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<Verdict[]> {
  const taken: Verdict[] = [];
  let waiting = changes;
  for (let attempt = 0; ; attempt += 1) {
    const pauseMs = RETRY_MS[attempt];
    try {
      const verdicts = await sendBulk(transport, waiting);
      taken.push(...verdicts.filter(({ kind }) => kind !== 'again'));
      if (verdicts.some((verdict) => verdict.kind === 'again' && verdict.isIndexMissing === true))
        throw new SearchServerError('the index that was being built is gone; begin again', 404);
      waiting = waiting.filter((_, index) => verdicts[index]?.kind === 'again');
      if (waiting.length === 0) return taken;
      if (pauseMs === undefined) throw new SearchServerError('it has too much to do', 429);
    } catch (error) {
      const isBusy = error instanceof SearchServerError && (error.status === 429 || error.status === 503);
      if (pauseMs === undefined || !isBusy) throw error;
    }
    await pause(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** In one moment: searches find the old index or the new one, never none, never both. The old one goes with it. */
async function swap(
  transport: Pick<SearchTransport, 'request'>,
  alias: string,
  index: string,
): Promise<void> {
  const { status, body } = await transport.request({
    method: 'GET',
    path: `/_alias/${alias}`,
    expects: [404],
  });
  const old = status === 404 ? [] : Object.keys(body as object).filter((name) => name !== index);
  const actions = [
    { add: { index, alias } },
    { remove: { index, alias: buildingAliasOf(index) } },
    ...old.map((name) => ({ remove_index: { index: name } })),
  ];
  await transport.request({ method: 'POST', path: '/_aliases', body: { actions } });
}

/** Whether there is an index to be searched. */
export async function hasIndex(
  transport: Pick<SearchTransport, 'request'>,
  prefix: string,
  kind: IndexKind,
): Promise<boolean> {
  const path = `/_alias/${aliasOf(prefix, kind)}`;
  return (await transport.request({ method: 'GET', path, expects: [404] })).status === 200;
}
