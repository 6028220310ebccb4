/**
 * Removing a domain with all that is known about it: in portions, the row itself last, so that a crash in between
 * leaves a domain that is switched off and can be removed again. Page bodies stay in the archive: it is only ever
 * written to.
 */
import { z } from 'zod';
import { noteRemoval } from '../../engine/frontier/url-removals.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import type { Job } from '../jobs/job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { submitJob } from '../jobs/submit-job.ts';
import { lockDomainRow } from './fence-domain.ts';
import { describeUnknown, findDomain } from './find-domain.ts';
import { deactivateWithin } from './switch-domain.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const PORTIONS = {
  urls: load('delete-portion-urls'),
  pages: load('delete-portion-pages'),
  fetches: load('delete-portion-log'),
} as const;
const deleteRow = load('delete-domain-row');
const countRows = load('count-domain-rows');

/** Short enough that nobody waits long for what a portion locks. */
const PORTION_ROWS = 2000;

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
    if (report === undefined) throw await describeUnknown(db, found.domain);
    await recordAct(tx, actor, 'domain.delete', found.domain, { fencedWorker: report.fencedWorker });
    return submitJob(tx, 'delete-domain', { domainId: found.id, domain: found.domain, restMs }, actor);
  });
}

export interface RemovedRows {
  readonly domain: string;
  readonly urls: number;
  readonly pages: number;
  readonly fetches: number;
}

/** All of it at once, for whoever waits. */
export async function removeDomain(
  db: Database,
  name: string,
  restMs: number,
  actor: Actor,
): Promise<RemovedRows> {
  const found = await findDomain(db, name);
  await inTransaction(db, async (tx) => {
    const report = await deactivateWithin(tx, found, restMs);
    if (report === undefined) throw await describeUnknown(db, found.domain);
    await recordAct(tx, actor, 'domain.delete', found.domain, { fencedWorker: report.fencedWorker });
  });
  return removeRows(db, { domainId: found.id, domain: found.domain, restMs }, async () => undefined);
}

export const deleteDomainJob: JobKind<DeletionParams> = {
  name: 'delete-domain',
  params,
  run: async ({ db, params: order, report }) => ({ ...(await removeRows(db, order, report)) }),
};

async function removeRows(
  db: Database,
  { domainId, domain, restMs }: DeletionParams,
  report: (done: number, total?: number) => Promise<void>,
): Promise<RemovedRows> {
  const removed = { domain, urls: 0, pages: 0, fetches: 0 };
  const done = (): number => removed.urls + removed.pages + removed.fetches;
  const found = await db.query<{ count: number }>(countRows, [domainId]);
  const total = found.rows[0]?.count ?? 0;
  for (;;) {
    for (const what of ['urls', 'pages', 'fetches'] as const) {
      for (let count = PORTION_ROWS; count >= PORTION_ROWS; ) {
        count = await removePortion(db, domainId, domain, restMs, PORTIONS[what]);
        removed[what] += count;
        await report(done(), Math.max(total, done()));
      }
    }
    // Links of other domains may have brought URLs meanwhile: then once more.
    if (await removeRow(db, domainId)) return removed;
  }
}

/** Somebody may have switched it on again: whoever claimed it then is fenced out before its rows go. */
function removePortion(
  db: Database,
  id: number,
  domain: string,
  restMs: number,
  statement: string,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    if ((await deactivateWithin(tx, { id, domain }, restMs)) === undefined) return 0;
    const { rowCount } = await tx.query(statement, [id, PORTION_ROWS]);
    if (rowCount > 0) await noteRemoval(tx);
    return rowCount;
  });
}

/** True when it is gone, now or already. */
function removeRow(db: Database, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if ((await lockDomainRow(tx, id)) === undefined) return true;
    await noteRemoval(tx);
    return (await tx.query(deleteRow, [id])).rowCount > 0;
  });
}
