/** Writes what became of visited URLs, the log of fetches, and the pages they gave. */

import { now } from '../../platform/clock.ts';
import { prepared } from '../../platform/database.ts';
import { booleanArray, byteaArray, dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { toSigned64 } from '../parse/simhash.ts';
import type { BodyLocation } from '../store/body-store.ts';
import { segmentIds } from '../store/segment-ids.ts';
import type { Visit } from '../visit.ts';
import type { SavedPage } from './domain-sums.ts';
import { contentHashOf } from './plan-reading.ts';
import { closesUrl } from './task-visits.ts';
import { type EndingRules, type UrlEnding, urlEnding } from './url-ending.ts';

const closeUrls = prepared('close-urls', loadSql(import.meta.url, './close-urls.sql'));
const holdUrls = prepared('hold-urls', loadSql(import.meta.url, './hold-urls.sql'));
const appendLog = prepared('append-log', loadSql(import.meta.url, './append-log.sql'));
const touchPages = prepared('touch-pages', loadSql(import.meta.url, './touch-pages.sql'));
const rereadPurged = prepared('reread-purged', loadSql(import.meta.url, './reread-purged.sql'));
const missPages = prepared('miss-pages', loadSql(import.meta.url, './miss-pages.sql'));
const savePages = prepared('save-pages', loadSql(import.meta.url, './save-pages.sql'));

/** Returns what each visit has made of its URL. */
export async function writeVisits(
  tx: Transaction,
  visits: readonly Visit[],
  context: EndingRules & { readonly runId: number; readonly workerId: string },
): Promise<UrlEnding[]> {
  if (visits.length === 0) return [];
  const endings = await writeEndings(tx, visits, context);
  await holdLeft(
    tx,
    visits.filter(({ isLeftToParser }) => isLeftToParser === true),
  );
  // A URL that robots.txt denied was never asked for: it is no fetch.
  await writeLog(
    tx,
    visits.filter((v) => v.outcome.kind !== 'robots-denied'),
    context,
  );
  return endings;
}

/** The frontier leaves them alone until they are parsed. */
async function holdLeft(tx: Transaction, left: readonly Visit[]): Promise<void> {
  if (left.length === 0) return;
  await tx.query(holdUrls, [
    numberArray(left.map((v) => v.lease.domainId)),
    byteaArray(left.map((v) => v.due.hash)),
    numberArray(left.map((v) => v.outcome.httpStatus ?? null)),
    dateArray(left.map((v) => v.fetchedAt)),
  ]);
}

/** The same for visits whose fetches are in the log already. */
export async function writeEndings(
  tx: Transaction,
  visits: readonly Visit[],
  rules: EndingRules,
): Promise<UrlEnding[]> {
  const endings = visits.map((visit) => urlEnding(visit, rules));
  await writeUrls(
    tx,
    visits.flatMap((visit, index) => closing(visit, endings[index])),
  );
  return endings;
}

interface ClosedUrl {
  readonly visit: Visit;
  readonly ending: UrlEnding;
}

function closing(visit: Visit, ending: UrlEnding | undefined): ClosedUrl[] {
  return ending === undefined || !closesUrl(visit) ? [] : [{ visit, ending }];
}

async function writeUrls(tx: Transaction, closed: readonly ClosedUrl[]): Promise<void> {
  if (closed.length === 0) return;
  const visits = closed.map(({ visit }) => visit);
  const endings = closed.map(({ ending }) => ending);
  await tx.query(closeUrls, [
    numberArray(visits.map((v) => v.lease.domainId)),
    byteaArray(visits.map((v) => v.due.hash)),
    textArray(endings.map((e) => e.state)),
    numberArray(endings.map((e) => e.errorCount)),
    dateArray(endings.map((e) => e.retryAt)),
    numberArray(visits.map((v) => v.outcome.httpStatus ?? null)),
    textArray(visits.map((v) => v.outcome.kind)),
    dateArray(visits.map((v) => v.fetchedAt)),
    textArray(visits.map((v, i) => (endings[i]?.isReplaced ? undefined : v.etag))),
    textArray(visits.map((v, i) => (endings[i]?.isReplaced ? undefined : v.lastModified))),
    byteaArray(visits.map(contentHashOf)),
    numberArray(visits.map((v) => (v.page === undefined ? null : toSigned64(v.page.simhash)))),
    dateArray(endings.map((e) => e.nextCrawlAt)),
    numberArray(endings.map((e) => e.refreshSeconds ?? null)),
    numberArray(endings.map((e) => e.missCount)),
    booleanArray(endings.map((e) => e.finding === 'changed')),
    booleanArray(endings.map((e) => e.isReplaced)),
    now(),
  ]);
  await writeMisses(tx, visits, endings);
  await writeUnchanged(tx, visits);
}

async function writeLog(
  tx: Transaction,
  fetches: readonly Visit[],
  context: { readonly runId: number; readonly workerId: string },
): Promise<void> {
  if (fetches.length === 0) return;
  await tx.query(appendLog, [
    context.runId,
    context.workerId,
    numberArray(fetches.map((v) => v.lease.domainId)),
    byteaArray(fetches.map((v) => v.due.hash)),
    textArray(fetches.map((v) => v.due.url)),
    dateArray(fetches.map((v) => v.fetchedAt)),
    textArray(fetches.map((v) => v.outcome.kind)),
    numberArray(fetches.map((v) => v.outcome.httpStatus ?? null)),
    numberArray(fetches.map((v) => v.due.errorCount + 1)),
    numberArray(fetches.map((v) => Math.round(v.durationMs))),
    numberArray(fetches.map((v) => v.bytes)),
    textArray(fetches.map((v) => v.outcome.message)),
    textArray(fetches.map((v) => (v.due.known === undefined ? 'discovery' : 'refresh'))),
    numberArray(fetches.map((v) => v.proxyId)),
  ]);
}

async function writeUnchanged(tx: Transaction, visits: readonly Visit[]): Promise<void> {
  const unchanged = visits.filter((v) => v.outcome.kind === 'not-modified' && v.due.isImage !== true);
  if (unchanged.length === 0) return;
  const { rowCount } = await tx.query(touchPages, [
    numberArray(unchanged.map((v) => v.lease.domainId)),
    byteaArray(unchanged.map((v) => v.due.hash)),
    dateArray(unchanged.map((v) => v.fetchedAt)),
  ]);
  // Other files than pages are asked for like this too, and never had a row.
  const pages = unchanged.filter((v) => v.due.known?.contentHash !== undefined);
  if (rowCount >= pages.length) return;
  await tx.query(rereadPurged, [
    numberArray(pages.map((v) => v.lease.domainId)),
    byteaArray(pages.map((v) => v.due.hash)),
  ]);
}

async function writeMisses(
  tx: Transaction,
  visits: readonly Visit[],
  endings: readonly UrlEnding[],
): Promise<void> {
  const missed = visits.flatMap((visit, index) => {
    const { finding, isReplaced } = endings[index] ?? {};
    const isMissed = finding === 'missing' || finding === 'gone' || isReplaced;
    return isMissed ? [{ visit, isGone: finding === 'gone' }] : [];
  });
  if (missed.length === 0) return;
  await tx.query(missPages, [
    numberArray(missed.map(({ visit }) => visit.lease.domainId)),
    byteaArray(missed.map(({ visit }) => visit.due.hash)),
    dateArray(missed.map(({ visit }) => visit.fetchedAt)),
    booleanArray(missed.map(({ isGone }) => isGone)),
  ]);
}

/** Returns what was saved, with whether it was there before. */
export async function writePages(
  tx: Transaction,
  visits: readonly Visit[],
  bodies: ReadonlyMap<Visit, BodyLocation>,
  runId: number,
): Promise<SavedPage[]> {
  const rows = visits.flatMap((visit) => {
    const { page } = visit;
    return page === undefined ? [] : [{ visit, page, body: bodies.get(visit) }];
  });
  if (rows.length === 0) return [];
  const segments = await segmentIds(tx, new Set(rows.flatMap(({ body }) => body?.segment ?? [])));
  const saved = await tx.query<SavedPage>(savePages, [
    runId,
    numberArray(rows.map(({ visit }) => visit.lease.domainId)),
    byteaArray(rows.map(({ visit }) => visit.due.hash)),
    textArray(rows.map(({ visit }) => visit.due.url)),
    numberArray(rows.map(({ visit }) => visit.due.depth)),
    numberArray(rows.map(({ visit }) => visit.outcome.httpStatus ?? null)),
    textArray(rows.map(({ page }) => page.contentType)),
    textArray(rows.map(({ page }) => page.charset)),
    numberArray(rows.map(({ page }) => page.contentLength)),
    numberArray(rows.map(({ page }) => page.transferLength)),
    byteaArray(rows.map(({ page }) => page.contentHash)),
    numberArray(rows.map(({ page }) => toSigned64(page.simhash))),
    textArray(rows.map(({ page }) => page.title)),
    textArray(rows.map(({ page }) => page.description)),
    textArray(rows.map(({ page }) => page.canonicalUrl)),
    textArray(rows.map(({ page }) => page.language)),
    numberArray(rows.map(({ page }) => page.textLength)),
    numberArray(rows.map(({ page }) => page.linksCount)),
    numberArray(rows.map(({ page }) => page.imagesCount)),
    booleanArray(rows.map(({ page }) => page.isNoindex)),
    booleanArray(rows.map(({ page }) => page.isNofollow)),
    numberArray(rows.map(({ body }) => (body === undefined ? null : (segments.get(body.segment) ?? null)))),
    numberArray(rows.map(({ body }) => body?.offset ?? null)),
    numberArray(rows.map(({ body }) => body?.length ?? null)),
    numberArray(rows.map(({ visit }) => Math.round(visit.durationMs))),
    dateArray(rows.map(({ visit }) => visit.fetchedAt)),
  ]);
  return saved.rows;
}
