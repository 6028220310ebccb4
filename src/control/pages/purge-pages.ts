/** The job that deletes pages, and how it is asked for. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { Actor } from '../access/actor.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { Job } from '../jobs/job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { submitJob } from '../jobs/submit-job.ts';
import { countPurgeable, filterValues, type PurgeParams, purgeParams } from './purge-filter.ts';
import { type PageKey, purgeWithin, settleDepth } from './purge-portion.ts';

const lookOn = loadSql(import.meta.url, './look-for-purgeable.sql');
const newestPage = loadSql(import.meta.url, './newest-page.sql');

/** While a portion is deleted, the workers of its domains wait with what they have to write. */
const PORTION = 2000;

export interface PurgeOrder {
  readonly domain?: string | undefined;
  readonly status?: number | undefined;
  readonly isGone?: boolean | undefined;
  readonly crawledUntil?: Date | undefined;
  readonly recrawl: boolean;
  /** Without any filter it is every page there is, which must be meant. */
  readonly isAllMeant?: boolean;
}

export async function orderPurge(db: Database, order: PurgeOrder, actor: Actor): Promise<Job> {
  const { status, isGone, crawledUntil, recrawl } = order;
  const isFiltered = [order.domain, status, isGone, crawledUntil].some((value) => value !== undefined);
  if (!isFiltered && order.isAllMeant !== true) {
    throw new ForagerError('not-confirmed', 'No filter was given: that would delete every page there is.', {
      hint: 'say which by domain, status, isGone or crawledUntil, or add confirm=all',
    });
  }
  const named = order.domain === undefined ? undefined : await findDomain(db, order.domain);
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: number | null }>(newestPage);
    const params: PurgeParams = {
      ...(named === undefined ? {} : { domain: named.domain, domainId: named.id }),
      ...(status === undefined ? {} : { status }),
      ...(isGone === undefined ? {} : { isGone }),
      ...(crawledUntil === undefined ? {} : { crawledUntil: crawledUntil.toISOString() }),
      ...{ recrawl, upToId: rows[0]?.id ?? 0 },
    };
    return submitJob(tx, 'purge-pages', params, actor);
  });
}

interface LookedAt extends PageKey {
  readonly isToGo: boolean;
}

export const purgePages: JobKind<PurgeParams> = {
  name: 'purge-pages',
  params: purgeParams,
  async run({ db, params, actor, doneBefore, portion, report }) {
    const total = await countPurgeable(db, params);
    await report(0, total);
    const shallower = new Set<number>();
    let done = 0;
    for (let last: PageKey = { domainId: 0, id: 0 }; ; ) {
      const { rows } = await db.query<LookedAt>(lookOn, [
        ...filterValues(params),
        ...[last.domainId, last.id, PORTION],
      ]);
      const keys = rows.filter(({ isToGo }) => isToGo);
      if (keys.length > 0) done += await portion((tx) => purgeWithin(tx, params, keys, actor));
      for (const { domainId } of keys) shallower.add(domainId);
      last = rows.at(-1) ?? last;
      const isOver = rows.length < PORTION;
      for (const domainId of shallower) {
        // There may be more of this one in the next portion.
        if (domainId === last.domainId && !isOver) continue;
        await portion((tx) => settleDepth(tx, domainId));
        shallower.delete(domainId);
      }
      await report(done, Math.max(total, done));
      if (isOver) return { pagesDeleted: doneBefore + done };
    }
  },
};
