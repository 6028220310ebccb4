/** Counters of domains, run and templates, and the renewal of the leases, inside the batch's transaction. */

import { now } from '../../platform/clock.ts';
import { prepared } from '../../platform/database.ts';
import { dateArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import type { DomainSum } from './domain-sums.ts';

const settleDomains = prepared('settle-domains', loadSql(import.meta.url, './settle-domains.sql'));
export const countRunDomains = prepared(
  'count-run-domains',
  loadSql(import.meta.url, './count-run-domains.sql'),
);
const countRun = prepared('count-run', loadSql(import.meta.url, './count-run.sql'));
const countWorker = prepared('count-worker', loadSql(import.meta.url, './count-worker.sql'));
const countWorkerTallies = prepared(
  'count-worker-tallies',
  loadSql(import.meta.url, './count-worker-tallies.sql'),
);
const countTallies = prepared('count-tallies', loadSql(import.meta.url, './count-tallies.sql'));
const countMinute = prepared('count-minute', loadSql(import.meta.url, './count-minute.sql'));
const countTemplates = prepared('count-templates', loadSql(import.meta.url, './count-templates.sql'));

export interface BatchCounters {
  readonly context: {
    readonly runId: number;
    readonly workerId: string;
    readonly leaseMs: number;
    readonly activeMs: number;
  };
  readonly sums: ReadonlyMap<number, DomainSum>;
  readonly addedByDomain: ReadonlyMap<number, number>;
  /** URLs that were added, to these domains and to others. */
  readonly addedCount: number;
  readonly addedTemplates: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly consecutiveErrors: ReadonlyMap<number, number>;
  readonly restingUntil: ReadonlyMap<number, Date>;
  readonly tallies: ReadonlyMap<string, number>;
}

export async function writeDomainCounters(tx: Transaction, counters: BatchCounters): Promise<void> {
  const { context, sums } = counters;
  const ids = [...sums.keys()];
  const values = [...sums.values()];
  await tx.query(settleDomains, [
    context.workerId,
    context.leaseMs,
    ids,
    ids.map((id) => counters.addedByDomain.get(id) ?? 0),
    values.map((sum) => sum.newPages),
    values.map((sum) => sum.newImages),
    values.map((sum) => sum.errors),
    ids.map((id) => counters.consecutiveErrors.get(id) ?? 0),
    values.map((sum) => sum.depth),
    dateArray(ids.map((id) => counters.restingUntil.get(id))),
    now(),
    values.map((sum) => sum.newProducts),
  ]);
  await tx.query(countRunDomains, [
    context.runId,
    ids,
    values.map((sum) => sum.pages),
    values.map((sum) => sum.fetches),
    values.map((sum) => sum.errors),
    values.map((sum) => sum.bytes),
  ]);
  await writeTemplates(tx, counters.addedTemplates);
}

export async function writeRunCounters(tx: Transaction, counters: BatchCounters): Promise<void> {
  const { context, sums } = counters;
  const values = [...sums.values()];
  const total = (pick: (sum: DomainSum) => number): number =>
    values.reduce((amount, sum) => amount + pick(sum), 0);
  const pages = total((sum) => sum.pages);
  const fetches = total((sum) => sum.fetches);
  const errors = total((sum) => sum.errors);
  const bytes = total((sum) => sum.bytes);
  const totals = [pages, fetches, errors, bytes];
  await tx.query(countWorker, [context.workerId, ...totals]);
  await writeMinute(tx, counters, {
    ...{ pages, fetches, errors, bytes, urls: counters.addedCount },
    duration_ms: Math.round(total((sum) => sum.durationMs)),
  });
  const tallies = [textArray([...counters.tallies.keys()]), [...counters.tallies.values()]];
  // Rows of the standing order would be everybody's: a whole fleet would queue for them at every commit.
  if (context.runId === STANDING_RUN) {
    if (counters.tallies.size > 0) await tx.query(countWorkerTallies, [context.workerId, ...tallies]);
    return;
  }
  await tx.query(countRun, [context.runId, ...totals, Math.round(context.activeMs)]);
  if (counters.tallies.size > 0) await tx.query(countTallies, [context.runId, ...tallies]);
}

/** The figures of the minute, in rows of this worker's own: nobody waits for anybody. */
async function writeMinute(
  tx: Transaction,
  { context, tallies }: BatchCounters,
  amounts: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = [...Object.entries(amounts), ...tallies].filter(([, count]) => count > 0);
  if (rows.length === 0) return;
  await tx.query(countMinute, [
    context.workerId,
    textArray(rows.map(([tally]) => tally)),
    rows.map(([, count]) => count),
  ]);
}

export async function writeTemplates(
  tx: Transaction,
  addedTemplates: ReadonlyMap<number, ReadonlyMap<string, number>>,
): Promise<void> {
  const rows = [...addedTemplates].flatMap(([domainId, templates]) =>
    [...templates].map(([template, count]) => ({ domainId, template, count })),
  );
  if (rows.length === 0) return;
  await tx.query(countTemplates, [
    rows.map((row) => row.domainId),
    textArray(rows.map((row) => row.template)),
    rows.map((row) => row.count),
  ]);
}
