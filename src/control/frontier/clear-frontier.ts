/**
 * Forgetting URLs that were never read, of one domain or of all, in portions. A worker at such a domain is fenced out
 * first: it has URLs in hand that are about to go. Only what was known when it was asked for is forgotten, so that
 * seeds named afterwards stay, and so that it ends.
 */
import { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { fenceDomain, lockDomainRow } from '../domains/fence-domain.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { Job } from '../jobs/job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { submitJob } from '../jobs/submit-job.ts';
import { type RemovedUrl, uncountRemoved } from './uncount-removed.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const nextDomain = load('next-domain-to-clear');
const clearPortion = load('clear-portion');
const readTime = load('read-time');

/** Short enough that nobody waits long for the domain. */
const PORTION_URLS = 2000;

const params = z.strictObject({
  domainId: z.int().positive().nullable(),
  /** Its name; null: all domains. */
  domain: z.string().nullable(),
  state: z.enum(['due', 'waiting', 'all']),
  /** What was found later stays. */
  before: z.string(),
  /** How long requests of a worker that had a domain may still be under way. */
  restMs: z.int().min(0),
});
type ClearParams = z.output<typeof params>;

export interface ClearOrder {
  /** Undefined: all of them, which must be meant. */
  readonly domain: string | undefined;
  readonly isAllMeant: boolean;
  readonly state: ClearParams['state'];
  readonly restMs: number;
}

export async function submitClearing(db: Database, order: ClearOrder, actor: Actor): Promise<Job> {
  const { domain, isAllMeant, state, restMs } = order;
  if (domain === undefined && !isAllMeant) {
    throw new ForagerError(
      'not-confirmed',
      'No domain was named: that would empty the frontier of all of them.',
      {
        hint: 'name a domain, or add confirm=all',
      },
    );
  }
  const found = domain === undefined ? undefined : await findDomain(db, domain);
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ time: string }>(readTime);
    const target = { domainId: found?.id ?? null, domain: found?.domain ?? null };
    await recordAct(tx, actor, 'frontier.clear', found?.domain ?? 'all domains', { state });
    return submitJob(tx, 'clear-frontier', { ...target, state, before: rows[0]?.time ?? '', restMs }, actor);
  });
}

export const clearFrontierJob: JobKind<ClearParams> = {
  name: 'clear-frontier',
  params,
  async run({ db, params: order, portion, report }) {
    const result = { domains: 0, removed: 0, kept: 0, fencedWorkers: 0 };
    for (let after = 0; ; ) {
      const { rows } = await db.query<{ domainId: number | null }>(nextDomain, [
        ...[after, order.domainId, order.state, order.before],
      ]);
      const domainId = rows[0]?.domainId ?? null;
      if (domainId === null) return result;
      result.domains += 1;
      for (let isMore = true; isMore; ) {
        const done = await portion((tx) => clearWithin(tx, domainId, order));
        result.removed += done.removed;
        result.kept += done.kept;
        if (done.isFenced) result.fencedWorkers += 1;
        await report(result.removed + result.kept);
        isMore = done.removed + done.kept >= PORTION_URLS;
      }
      after = domainId;
    }
  },
};

/** Each portion fences anew: somebody may have claimed the domain since the last one. */
async function clearWithin(tx: Transaction, domainId: number, { state, before, restMs }: ClearParams) {
  const isKnown = (await lockDomainRow(tx, domainId)) !== undefined;
  const isFenced = isKnown && (await fenceDomain(tx, domainId, restMs)) !== null;
  const { rows } = await tx.query<RemovedUrl>(clearPortion, [domainId, state, before, PORTION_URLS]);
  const removed = rows.filter(({ url }) => url !== null).length;
  if (isKnown && removed > 0) {
    await uncountRemoved(tx, domainId, rows);
  }
  return { removed, kept: rows.length - removed, isFenced };
}
