/** Marks sitemaps as read, in the transaction that holds the last of their URLs, and adds those they list. */
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { SitemapReading } from './batch.ts';

const closeSitemaps = loadSql(import.meta.url, './close-sitemaps.sql');
const addSitemaps = loadSql(import.meta.url, './add-sitemaps.sql');

export async function writeSitemaps(tx: Transaction, readings: readonly SitemapReading[]): Promise<void> {
  if (readings.length === 0) return;
  await tx.query(closeSitemaps, [
    readings.map((r) => r.lease.domainId),
    textArray(readings.map((r) => r.url)),
    textArray(readings.map((r) => r.state)),
    readings.map((r) => r.urlsCount),
    textArray(readings.map((r) => r.note)),
  ]);
  const children = readings.flatMap((r) =>
    r.children.map((child) => ({ ...child, domainId: r.lease.domainId })),
  );
  if (children.length > 0) await insertSitemaps(tx, children);
}

/** The URL is part of a key, and PostgreSQL's keys are at most 2.7 kB. Nobody's sitemap needs as much. */
const MAX_URL_CHARS = 2000;

/** Returns the URLs that were new. */
export async function insertSitemaps(
  tx: Transaction,
  sitemaps: ReadonlyArray<{ readonly domainId: number; readonly url: string; readonly nesting: number }>,
): Promise<string[]> {
  const usable = sitemaps.filter(({ url }) => url.length <= MAX_URL_CHARS);
  const { rows } = await tx.query<{ url: string }>(addSitemaps, [
    usable.map((s) => s.domainId),
    textArray(usable.map((s) => s.url)),
    usable.map((s) => s.nesting),
  ]);
  return rows.map((row) => row.url);
}
