/** What counted URLs that are no more, in the transaction that removes them. Their domain is locked already. */
import { normalizeUrl } from '../../engine/frontier/normalize-url.ts';
import { noteRemoval } from '../../engine/frontier/url-removals.ts';
import { templateBudget, urlTemplate } from '../../engine/frontier/url-template.ts';
import { reprioritizeWithin } from '../../engine/schedule/reprioritize.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const uncountUrls = loadSql(import.meta.url, './uncount-urls.sql');
const uncountTemplates = loadSql(import.meta.url, './uncount-templates.sql');

export interface RemovedUrl {
  /** Null: it has a page, and stays. */
  readonly url: string | null;
  /** Whether its shape was counted when it was found. */
  readonly isCounted: boolean;
  /** Images are no discovered pages. */
  readonly isImage: boolean;
}

export async function uncountRemoved(
  tx: Transaction,
  domainId: number,
  rows: readonly RemovedUrl[],
): Promise<void> {
  await tx.query(uncountUrls, [domainId, rows.filter(({ url, isImage }) => url !== null && !isImage).length]);
  await uncountShapes(tx, domainId, rows);
  await reprioritizeWithin(tx, domainId);
  await noteRemoval(tx);
}

/** Shapes with a budget get back what they were charged for: at most that, since a sitemap's URLs never were. */
async function uncountShapes(tx: Transaction, domainId: number, rows: readonly RemovedUrl[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { url, isCounted } of rows) {
    if (url === null || !isCounted) continue;
    const normal = normalizeUrl(url);
    if (normal.kind === 'bad') continue;
    const template = urlTemplate(normal.key);
    if (templateBudget(template) === Number.POSITIVE_INFINITY) continue;
    counts.set(template, (counts.get(template) ?? 0) + 1);
  }
  if (counts.size === 0) return;
  await tx.query(uncountTemplates, [
    domainId,
    textArray([...counts.keys()]),
    numberArray([...counts.values()]),
  ]);
}
