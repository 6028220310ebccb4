/**
 * Removing a domain with all that is known about it: in portions, the row itself last, so that whatever ends it in
 * between leaves a domain that is switched off, that is told rightly and that can be removed again. Page bodies stay
 * in the archive: it is only ever written to.
 */
import { z } from 'zod';
import { noteRemoval } from '../../engine/frontier/url-removals.ts';
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import type { Job } from '../jobs/job.ts';
import type { JobContext, JobKind } from '../jobs/job-kind.ts';
import { submitJob } from '../jobs/submit-job.ts';
import { settleDepth } from '../pages/purge-portion.ts';
import {
  type DeletePortion,
  deleteErrors,
  deleteLogLines,
  deletePages,
  deleteProducts,
  deleteTasks,
  deleteTraces,
  deleteUrlRows,
  deleteUsage,
  PORTION_ROWS,
} from './delete-portions.ts';
import { lockDomainRow } from './fence-domain.ts';
import { describeUnknown, findDomain } from './find-domain.ts';
import { deactivateWithin } from './switch-domain.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const deleteRow = load('delete-domain-row');
const countRows = load('count-domain-rows');

const params = z.strictObject({
  domainId: z.int().positive(),
  domain: z.string(),
  /** How long requests of a worker that had it may still be under way. */
  restMs: z.int().min(0),
});

type DeletionParams = z.output<typeof params>;

/** Switches it off at once; the rest is a job. */
export async function submitDeletion(db: Database, name: string, restMs: number, actor: Actor): Promise<Job> {
  const found = await findDomain(db, name);
  return inTransaction(db, async (tx) => {
    const report = await deactivateWithin(tx, found, restMs);
    if (report === undefined) throw await describeUnknown(tx, found.domain);
    await refuseIfGoing(tx, found.id, found.domain);
    await recordAct(tx, actor, 'domain.delete', found.domain, { fencedWorker: report.fencedWorker });
    return submitJob(tx, 'delete-domain', { domainId: found.id, domain: found.domain, restMs }, actor);
  });
}

export interface RemovedRows {
  readonly domain: string;
  readonly urls: number;
  readonly pages: number;
  readonly fetches: number;
  readonly tasks: number;
  readonly errors: number;
  /** With what is known of their prices, each a row. */
  readonly products: number;
}

type RemovedKind = Exclude<keyof RemovedRows, 'domain'>;

export const deleteDomainJob: JobKind<DeletionParams> = {
  name: 'delete-domain',
  params,
  run: async (context) => ({ ...(await removeRows(context)) }),
};

async function removeRows({
  db,
  params: order,
  actor,
  portion: inPortion,
  report,
}: JobContext<DeletionParams>): Promise<RemovedRows> {
  const { domainId, domain } = order;
  const removed = { domain, urls: 0, pages: 0, fetches: 0, tasks: 0, errors: 0, products: 0 };
  const done = (): number => {
    const { domain: _domain, ...counts } = removed;
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };
  const found = await db.query<{ count: number }>(countRows, [domainId]);
  const total = found.rows[0]?.count ?? 0;
  const removeAll = async (what: RemovedKind | undefined, portion: DeletePortion): Promise<void> => {
    for (let count = PORTION_ROWS; count >= PORTION_ROWS; ) {
      count = await inPortion((tx) => removePortion(tx, order, () => portion(tx, domainId, actor)));
      if (what !== undefined) removed[what] += count;
      await report(done(), Math.max(total, done()));
    }
  };
  for (;;) {
    await removeAll('tasks', deleteTasks);
    await removeAll('pages', deletePages);
    await inPortion((tx) => settleDepth(tx, domainId));
    await removeAll('fetches', deleteLogLines);
    await removeAll('errors', deleteErrors);
    await removeAll(undefined, deleteTraces);
    await removeAll('products', deleteProducts);
    await removeAll(undefined, deleteUsage);
    await removeAll('urls', deleteUrlRows);
    // Links of other domains may have brought URLs meanwhile: then once more.
    if (await inPortion((tx) => removeRow(tx, domainId))) return removed;
  }
}

/** Whoever has it nevertheless is fenced out before its rows go. */
async function removePortion(
  tx: Transaction,
  { domainId: id, domain, restMs }: DeletionParams,
  remove: () => Promise<number>,
): Promise<number> {
  if ((await deactivateWithin(tx, { id, domain }, restMs)) === undefined) return 0;
  return remove();
}

/** True when it is gone, now or already. */
async function removeRow(tx: Transaction, id: number): Promise<boolean> {
  if ((await lockDomainRow(tx, id)) === undefined) return true;
  await noteRemoval(tx);
  return (await tx.query(deleteRow, [id])).rowCount > 0;
}
