/** What became of the tasks of a lot: their states, the tasks that come of them, and what went wrong. */
import { prepared } from '../../platform/database.ts';
import { booleanArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { addChildTasks } from '../tasks/settle-tasks.ts';
import { parseEnding } from './parse-ending.ts';
import type { FailedReading, Reading } from './reading.ts';

const settle = prepared('settle-parses', loadSql(import.meta.url, './settle-parses.sql'));
const appendErrors = prepared('append-parse-errors', loadSql(import.meta.url, './append-parse-errors.sql'));

export interface SettledParses {
  readonly completed: number;
  readonly retried: number;
  readonly failed: number;
}

export async function settleParses(
  tx: Transaction,
  { workerId, lotNumber }: { readonly workerId: string; readonly lotNumber: number },
  readings: readonly Reading[],
  outdated: ReadonlySet<Reading>,
): Promise<SettledParses> {
  const endings = readings.map((reading) => parseEnding(reading, outdated.has(reading)));
  const { rows } = await tx.query<{ id: number; status: string }>(settle, [
    workerId,
    lotNumber,
    numberArray(readings.map(({ task }) => task.id)),
    textArray(endings.map(({ status }) => status)),
    textArray(endings.map(({ reason }) => reason)),
    textArray(endings.map(({ error }) => error)),
    booleanArray(endings.map(({ isRetried }) => isRetried)),
    booleanArray(endings.map(({ isDropped }) => isDropped)),
  ]);
  const count = (wanted: string): number => rows.filter(({ status }) => status === wanted).length;
  await writeChildren(tx, readings);
  await writeErrors(
    tx,
    workerId,
    readings.filter((reading) => reading.kind === 'failed'),
  );
  return { completed: count('completed'), retried: count('queued_parse'), failed: count('failed') };
}

async function writeChildren(tx: Transaction, readings: readonly Reading[]): Promise<void> {
  const named = readings.flatMap((reading) => {
    if (reading.kind === 'failed') return [];
    return (reading.visit.named ?? []).map((page) => ({ taskId: reading.task.id, ...page }));
  });
  await addChildTasks(tx, named);
}

async function writeErrors(
  tx: Transaction,
  workerId: string,
  failed: readonly FailedReading[],
): Promise<void> {
  if (failed.length === 0) return;
  await tx.query(appendErrors, [
    workerId,
    numberArray(failed.map(({ task }) => task.id)),
    numberArray(failed.map(({ task }) => task.domain_id)),
    textArray(failed.map(({ task }) => task.final_url ?? task.url)),
    textArray(failed.map(({ code }) => code)),
    textArray(failed.map(({ message }) => message)),
    textArray(failed.map(({ stack }) => stack)),
    numberArray(failed.map(({ task }) => task.http_status)),
    numberArray(failed.map(({ task }) => task.retry_count + 1)),
  ]);
}
