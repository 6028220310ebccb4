/** Pages whose kept bodies were parsed once more. */
import { prepared } from '../../platform/database.ts';
import { booleanArray, byteaArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { toSigned64 } from '../parse/simhash.ts';
import type { GoodReading } from './reading.ts';

const rereadPages = prepared('reread-pages', loadSql(import.meta.url, './reread-pages.sql'));

export async function writeRereadings(tx: Transaction, readings: readonly GoodReading[]): Promise<void> {
  const rows = readings.flatMap(({ visit, body }) =>
    visit.page === undefined ? [] : [{ visit, page: visit.page, isDropped: body === undefined }],
  );
  if (rows.length === 0) return;
  await tx.query(rereadPages, [
    numberArray(rows.map(({ visit }) => visit.lease.domainId)),
    byteaArray(rows.map(({ visit }) => visit.due.hash)),
    textArray(rows.map(({ page }) => page.contentType)),
    textArray(rows.map(({ page }) => page.charset)),
    numberArray(rows.map(({ page }) => page.contentLength)),
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
    booleanArray(rows.map(({ isDropped }) => isDropped)),
  ]);
}
