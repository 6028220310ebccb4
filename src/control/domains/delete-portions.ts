/**
 * Some rows of a domain that goes, each kind with everything that counted them: wherever the removal ends, what is
 * left is told rightly. Pages go first, since each is accounted for by its URL and by the log.
 */
import { noteRemoval } from '../../engine/frontier/url-removals.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { ERROR_OUTCOMES } from '../backfill/error-outcomes.ts';
import { type RemovedUrl, uncountRemoved } from '../frontier/uncount-removed.ts';
import { filterValues } from '../pages/purge-filter.ts';
import { type PageKey, purgeWithin } from '../pages/purge-portion.ts';

const lookForPages = loadSql(import.meta.url, '../pages/look-for-purgeable.sql');
const deleteFetches = loadSql(import.meta.url, './delete-portion-log.sql');
const deleteUrls = loadSql(import.meta.url, './delete-portion-urls.sql');
const deleteTaskRows = loadSql(import.meta.url, './delete-portion-tasks.sql');
const deleteErrorRows = loadSql(import.meta.url, './delete-portion-errors.sql');
const deleteProductRows = loadSql(import.meta.url, './delete-portion-products.sql');
const deleteTraceRows = loadSql(import.meta.url, './delete-portion-traces.sql');
const deleteUsageRows = loadSql(import.meta.url, './delete-portion-usage.sql');

/** Short enough that nobody waits long for what a portion locks. */
export const PORTION_ROWS = 2000;

/** Of a locked domain; how many went: fewer than a portion when there are no more. */
export type DeletePortion = (tx: Transaction, domainId: number, actor: string) => Promise<number>;

export const deletePages: DeletePortion = async (tx, domainId, actor) => {
  const all = { domainId, recrawl: false, upToId: Number.MAX_SAFE_INTEGER };
  const { rows } = await tx.query<PageKey>(lookForPages, [...filterValues(all), 0, 0, PORTION_ROWS]);
  if (rows.length === 0) return 0;
  await noteRemoval(tx);
  return purgeWithin(tx, all, rows, actor);
};

export const deleteLogLines: DeletePortion = async (tx, domainId) => {
  const { rows } = await tx.query<{ count: number }>(deleteFetches, [
    ...[domainId, PORTION_ROWS, textArray(ERROR_OUTCOMES)],
  ]);
  return rows[0]?.count ?? 0;
};

/** Results of bots go with their tasks. */
export const deleteTasks = deleteWith(deleteTaskRows);
export const deleteErrors = deleteWith(deleteErrorRows);
/** And the history of their prices. */
export const deleteProducts = deleteWith(deleteProductRows);
/** Changes of products, figures of parsers, images that were seen. */
export const deleteTraces = deleteWith(deleteTraceRows);
/** Of proxies, by the minute. */
export const deleteUsage = deleteWith(deleteUsageRows);

function deleteWith(statement: string): DeletePortion {
  return async (tx, domainId) => {
    const { rows } = await tx.query<{ count: number }>(statement, [domainId, PORTION_ROWS]);
    return rows[0]?.count ?? 0;
  };
}

export const deleteUrlRows: DeletePortion = async (tx, domainId) => {
  const { rows } = await tx.query<RemovedUrl>(deleteUrls, [domainId, PORTION_ROWS]);
  if (rows.length > 0) await uncountRemoved(tx, domainId, rows);
  return rows.length;
};
