/**
 * Giving up is taken back: the task of a dead letter is pending again, with all its retries; a message without a task
 * is marked as dealt with. That the letter itself is closed with its task, whoever starts that again, is the
 * database's doing.
 */
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { findDomain } from '../domains/find-domain.ts';
import { lockTasks } from '../tasks/lock-tasks.ts';
import { type DeadLetter, type DeadLetterFilter, readDeadLetter } from './list-dead-letters.ts';

const pickDeadLettersSql = loadSql(import.meta.url, './pick-dead-letters.sql');
const restartGivenUpSql = loadSql(import.meta.url, './restart-given-up.sql');
const dismissSql = loadSql(import.meta.url, './dismiss-dead-letters.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

const PORTION = 1000;
/** Somebody may order the same page at the same moment: the next look sees it. */
const ATTEMPTS = 3;

interface Picked {
  readonly id: number;
  readonly taskId: number | null;
  readonly act: 'requeue' | 'dismiss' | 'skip';
}

export async function requeueDeadLetter(
  db: Database,
  id: number,
  actor: Actor,
): Promise<{ deadLetter: DeadLetter; changed: boolean }> {
  const before = await readDeadLetter(db, id);
  if (before.requeuedAt !== null) return { deadLetter: before, changed: false };
  const changed = await again(() => inTransaction(db, (tx) => requeueWithin(tx, before, actor)));
  return { deadLetter: await readDeadLetter(db, id), changed };
}

/** False: somebody else was faster. */
async function requeueWithin(tx: Transaction, letter: DeadLetter, actor: Actor): Promise<boolean> {
  const { id, taskId } = letter;
  const [picked] = (await tx.query<Picked>(pickDeadLettersSql, [id - 1, null, null, 1])).rows;
  if (picked?.id !== id) return false;
  const { skipped } = await dealWith(tx, [picked], actor);
  if (skipped === 0) {
    await recordAct(tx, actor, 'dead-letter.requeue', String(id), { taskId });
    return true;
  }
  if ((await readDeadLetter(tx, id)).requeuedAt !== null) return false;
  throw describeLive(letter);
}

export interface RequeueOrder extends DeadLetterFilter {
  readonly limit: number;
  readonly dryRun: boolean;
}

export interface RequeueReport {
  readonly isDryRun: boolean;
  readonly matched: number;
  readonly requeued: number;
  readonly dismissed: number;
  readonly skipped: number;
}

export async function requeueDeadLetters(
  db: Database,
  { queue, domain, limit, dryRun }: RequeueOrder,
  actor: Actor,
): Promise<RequeueReport> {
  const domainId = domain === undefined ? null : (await findDomain(db, domain)).id;
  const sums = { matched: 0, requeued: 0, dismissed: 0, skipped: 0 };
  let after = 0;
  while (sums.matched < limit) {
    const values = [after, queue ?? null, domainId, Math.min(PORTION, limit - sums.matched)];
    const portion = await again(() =>
      dryRun
        ? db.query<Picked>(pickDeadLettersSql, values).then(({ rows }) => ({ rows, ...countActs(rows) }))
        : inTransaction(db, async (tx) => {
            const { rows } = await tx.query<Picked>(pickDeadLettersSql, values);
            const done = await dealWith(tx, rows, actor);
            if (done.requeued + done.dismissed > 0) {
              await recordAct(tx, actor, 'dead-letter.requeue-many', domain, { queue, ...done });
            }
            return { rows, ...done };
          }),
    );
    sums.matched += portion.rows.length;
    sums.requeued += portion.requeued;
    sums.dismissed += portion.dismissed;
    sums.skipped += portion.skipped;
    const last = portion.rows.at(-1);
    if (last === undefined || portion.rows.length < (values[3] as number)) break;
    after = last.id;
  }
  return { isDryRun: dryRun, ...sums };
}

interface Done {
  readonly requeued: number;
  readonly dismissed: number;
  readonly skipped: number;
}

async function dealWith(tx: Transaction, picked: readonly Picked[], actor: Actor): Promise<Done> {
  const toRequeue = picked.filter(({ act }) => act === 'requeue');
  const toDismiss = picked.filter(({ act }) => act === 'dismiss').map(({ id }) => id);
  let requeued = 0;
  if (toRequeue.length > 0) {
    const taskIds = toRequeue.flatMap(({ taskId }) => taskId ?? []);
    // Their domains and policies are locked before they are, like everywhere.
    await lockTasks(tx, taskIds);
    requeued = (await tx.query(restartGivenUpSql, [numberArray(taskIds), actor.name])).rowCount;
    await tx.query(wakeScheduler);
  }
  const dismissed =
    toDismiss.length === 0 ? 0 : (await tx.query(dismissSql, [numberArray(toDismiss), actor.name])).rowCount;
  return { requeued, dismissed, skipped: picked.length - requeued - toDismiss.length };
}

function countActs(picked: readonly Picked[]): Done {
  const count = (wanted: Picked['act']): number => picked.filter(({ act }) => act === wanted).length;
  return { requeued: count('requeue'), dismissed: count('dismiss'), skipped: count('skip') };
}

/** The database refuses a second task for a URL that has one (23505). */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}

function describeLive({ id, url, taskId }: DeadLetter): ForagerError {
  return new ForagerError(
    'duplicate-task',
    `The dead letter ${id} cannot be requeued: ${url ?? 'its page'} has another task by now that is not over.`,
    { hint: `wait until that one is over, or cancel it; the one given up is task ${taskId}` },
  );
}
