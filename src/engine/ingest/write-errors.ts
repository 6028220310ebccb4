/** The visits of a batch that failed, for whoever asks what goes wrong. */
import { now } from '../../platform/clock.ts';
import { prepared } from '../../platform/database.ts';
import { dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { errorCategory } from '../error-category.ts';
import type { Extraction } from '../extract/product-fields.ts';
import { CONSEQUENCES } from '../outcome.ts';
import { describe } from '../tasks/task-ending.ts';
import type { Visit } from '../visit.ts';
import type { ProxyUses } from './proxy-uses.ts';

const appendErrors = prepared('append-errors', loadSql(import.meta.url, './append-errors.sql'));

export async function writeErrors(
  tx: Transaction,
  visits: readonly Visit[],
  { workerId }: { readonly workerId: string },
): Promise<void> {
  const failed = visits.filter(isFailure);
  if (failed.length === 0) return;
  await tx.query(appendErrors, [
    workerId,
    numberArray(failed.map(({ due }) => due.task?.id ?? null)),
    numberArray(failed.map(({ lease }) => lease.domainId)),
    textArray(failed.map(({ due }) => due.url)),
    textArray(failed.map(({ outcome }) => errorCategory(outcome.kind))),
    textArray(failed.map(({ outcome }) => outcome.kind)),
    textArray(failed.map(describe)),
    numberArray(failed.map(({ outcome }) => outcome.httpStatus ?? null)),
    numberArray(failed.map(({ due }) => (due.task?.retryCount ?? due.errorCount) + 1)),
    dateArray(failed.map(({ fetchedAt }) => fetchedAt)),
  ]);
}

/** Parsers that failed, and products that cannot be right: the pages themselves are none the worse for it. */
export async function writeExtractionErrors(
  tx: Transaction,
  visits: readonly Visit[],
  { workerId, unwritten }: { readonly workerId: string; readonly unwritten: ReadonlyMap<Visit, string> },
): Promise<void> {
  const failed = visits.flatMap((visit) => {
    const error = extractionError(visit.page?.extraction, unwritten.get(visit));
    return error === undefined ? [] : [{ visit, error }];
  });
  if (failed.length === 0) return;
  await tx.query(appendErrors, [
    workerId,
    numberArray(failed.map(({ visit }) => visit.due.task?.id ?? null)),
    numberArray(failed.map(({ visit }) => visit.lease.domainId)),
    textArray(failed.map(({ visit }) => visit.due.url)),
    textArray(failed.map(({ error }) => error.category)),
    textArray(failed.map(({ error }) => error.code)),
    textArray(failed.map(({ error }) => error.message)),
    numberArray(failed.map(({ visit }) => visit.outcome.httpStatus ?? null)),
    numberArray(failed.map(() => 1)),
    dateArray(failed.map(({ visit }) => visit.fetchedAt)),
  ]);
}

function extractionError(extraction: Extraction | undefined, refusal: string | undefined) {
  if (extraction === undefined) return undefined;
  const { parser, version, failure, verdict, problems } = extraction;
  const by = `parser ${parser} ${version}: `;
  if (refusal !== undefined) {
    return { category: 'parse', code: 'product-unwritten', message: `${by}cannot be stored: ${refusal}` };
  }
  if (failure !== undefined) return { category: 'parse', code: 'parser-failed', message: by + failure };
  if (verdict !== 'invalid') return undefined;
  const sentences = problems.map(({ message }) => message).join(' ');
  return {
    category: 'validation',
    code: 'product-invalid',
    message: (by + sentences).slice(0, MAX_MESSAGE_CHARS),
  };
}

const MAX_MESSAGE_CHARS = 1000;

/** What proxies have done to requests: the URLs are none the worse for it. */
export async function writeProxyErrors(
  tx: Transaction,
  { errors }: ProxyUses,
  { workerId }: { readonly workerId: string },
): Promise<void> {
  if (errors.length === 0) return;
  const nothing = numberArray(errors.map(() => null));
  const at = now();
  await tx.query(appendErrors, [
    workerId,
    nothing,
    numberArray(errors.map(({ lease }) => lease.domainId)),
    textArray(errors.map(({ error }) => error.url)),
    textArray(errors.map(() => 'proxy')),
    textArray(errors.map(({ error }) => error.code)),
    textArray(errors.map(({ proxyId, error }) => `proxy ${proxyId}: ${error.message}`)),
    nothing,
    numberArray(errors.map(() => 1)),
    dateArray(errors.map(() => at)),
  ]);
}

/** A URL that robots.txt forbids is no error where it was merely found; somebody's order it fails. */
function isFailure({ outcome, due }: Visit): boolean {
  return CONSEQUENCES[outcome.kind].isError || (due.task !== undefined && outcome.kind === 'robots-denied');
}
