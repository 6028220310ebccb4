/**
 * Moves tasks, a portion in each transaction: who they are, the locks on their domains and policies (in the order of
 * their ids, before any lock on a task, as everywhere), then the move of those that are still what they were. Domains
 * that somebody else has locked are passed over and come next time.
 */
import type { Database } from '../platform/database.ts';
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../platform/transaction.ts';
import type { StepReport } from './ground.ts';

const lockDomains = loadSql(import.meta.url, './lock-domains.sql');
const lockPolicies = loadSql(import.meta.url, '../control/tasks/lock-policies.sql');

const PORTION = 1000;

export interface Candidate {
  readonly id: number;
  readonly domainId: number;
  /** Of a task that may be over by the move: what follows from that for its policy is written with it. */
  readonly policyId?: number | null;
}

export interface PortionedMove<Moved, Found extends Candidate> {
  readonly db: Database;
  /** At most so many, none of the domains that are passed over; `last` of the portion before. */
  find(
    tx: Transaction,
    limit: number,
    passedOver: readonly number[],
    last: Found | undefined,
  ): Promise<readonly Found[]>;
  /** Of those whose domains are locked now; what was moved. */
  move(tx: Transaction, ids: readonly number[]): Promise<readonly Moved[]>;
  /** After the commit. */
  afterwards?(moved: readonly Moved[]): Promise<void>;
}

export async function moveInPortions<Moved, Found extends Candidate = Candidate>(
  step: PortionedMove<Moved, Found>,
  isTimeUp: () => boolean,
): Promise<StepReport> {
  const passedOver = new Set<number>();
  let count = 0;
  let last: Found | undefined;
  for (;;) {
    const { found, locked, moved } = await movePortion(step, [...passedOver], last);
    if (moved.length > 0) await step.afterwards?.(moved);
    count += moved.length;
    last = found.at(-1);
    if (found.length === 0) return { count, isMore: false, isHeldUp: passedOver.size > 0 };
    for (const { domainId } of found) {
      // Where nothing moved although it was there, somebody has the tasks themselves.
      if (!locked.has(domainId) || moved.length === 0) passedOver.add(domainId);
    }
    if (isTimeUp()) return { count, isMore: moved.length > 0, isHeldUp: true };
  }
}

async function movePortion<Moved, Found extends Candidate>(
  step: PortionedMove<Moved, Found>,
  passedOver: readonly number[],
  last: Found | undefined,
) {
  return inTransaction(step.db, async (tx) => {
    const found = await step.find(tx, PORTION, passedOver, last);
    const locked = await lock(
      tx,
      found.map(({ domainId }) => domainId),
    );
    const free = found.filter(({ domainId }) => locked.has(domainId));
    const policies = free.flatMap(({ policyId }) => policyId ?? []);
    if (policies.length > 0) await tx.query(lockPolicies, [policies]);
    const ids = free.map(({ id }) => id);
    const moved = ids.length === 0 ? [] : await step.move(tx, ids);
    return { found, locked, moved };
  });
}

async function lock(tx: Transaction, domainIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (domainIds.length === 0) return new Set();
  const { rows } = await tx.query<{ id: number }>(lockDomains, [[...new Set(domainIds)]]);
  return new Set(rows.map(({ id }) => id));
}
