/**
 * Tasks that somebody orders, one or ten thousand: read, refused one by one with the reason, the rest stored in
 * portions; or all or none, as asked.
 */
import type { PrivateRule } from '../../engine/seeds/read-seed-list.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { type BatchChoice, chooseBatch, type TaskBatch } from '../batches/task-batch.ts';
import { isPassedOver } from './batch-pages.ts';
import { readTaskRow, type TaskRow } from './list-tasks.ts';
import { isDuplicate } from './live-tasks.ts';
import type { OrderWords } from './order-parents.ts';
import { type StoredOrders, storeOrders } from './store-orders.ts';
import { type DomainRule, hintOfBadPage, showUrl } from './task-domains.ts';
import { type OrderProblem, type ReadOrder, readOrders, type TaskOrder } from './task-order.ts';

/** Tasks in one transaction: no domain is locked for long. */
export const PORTION_TASKS = 1000;

export interface SubmitRules extends DomainRule {
  readonly allowPrivate: PrivateRule;
}

export interface Submission extends BatchChoice {
  readonly tasks: readonly TaskOrder[];
  /** Of those that name none. */
  readonly priority?: number | undefined;
  readonly onError: 'skip' | 'refuse-all';
  /** Pages that the batch has already, whatever became of them, are passed over; that is no error. */
  readonly skipKnownOfBatch?: boolean | undefined;
  /** What its tasks are called where one is spoken of; left out: items, by their index. */
  readonly words?: OrderWords | undefined;
}

export interface SubmitReport {
  readonly accepted: number;
  readonly newDomains: number;
  readonly batchId: number | null;
  /** By index. */
  readonly ids: readonly (number | null)[];
  /** By index, all of them. */
  readonly problems: readonly OrderProblem[];
}

export async function submitTasks(
  db: Database,
  submission: Submission,
  rules: SubmitRules,
  actor: Actor,
): Promise<SubmitReport> {
  const { tasks, onError, words } = submission;
  const { read, problems } = await readOrders(tasks, { allowPrivate: rules.allowPrivate, now: now(), words });
  const portions = cut(read);
  const isAllOrNone = onError === 'refuse-all';
  if (isAllOrNone && problems.length > 0) return report(tasks.length, [], problems);
  if (!isAllOrNone) return storeApart(db, portions, problems, submission, rules, actor);
  try {
    return await retried(() =>
      inTransaction(db, async (tx) => {
        const stored = await storeAll(tx, portions, submission, rules, actor);
        if (!stored.problems.every(isPassedOver)) throw new NoneTaken(stored);
        return stored;
      }),
    );
  } catch (error) {
    if (error instanceof NoneTaken) return report(tasks.length, [], error.stored.problems);
    throw error;
  }
}

/** Everything was looked at, and is undone. */
class NoneTaken extends Error {
  readonly stored: SubmitReport;

  constructor(stored: SubmitReport) {
    super('none of the tasks is taken');
    this.stored = stored;
  }
}

async function storeAll(
  tx: Transaction,
  portions: readonly (readonly ReadOrder[])[],
  submission: Submission,
  rules: SubmitRules,
  actor: Actor,
): Promise<SubmitReport> {
  const batch = await chooseBatch(tx, submission, actor);
  const earlier = new Map<number, number>();
  const stored: StoredOrders[] = [];
  for (const portion of portions) {
    stored.push(await storeOrders(tx, portion, earlier, { ...rules, ...submission, batch, actor }));
  }
  const result = report(submission.tasks.length, stored, [], batch);
  await recordAct(tx, actor, 'task.submit', undefined, describe(result, submission));
  return result;
}

/** Each portion has its own transaction and its own record: what is committed is told. */
async function storeApart(
  db: Database,
  portions: readonly (readonly ReadOrder[])[],
  refused: readonly OrderProblem[],
  submission: Submission,
  rules: SubmitRules,
  actor: Actor,
): Promise<SubmitReport> {
  const earlier = new Map<number, number>();
  const stored: StoredOrders[] = [];
  let batch: TaskBatch | undefined;
  for (const [part, portion] of portions.entries()) {
    const done = await retried(() =>
      inTransaction(db, async (tx) => {
        const known = new Map(earlier);
        const choice = batch === undefined ? submission : { batchId: batch.id };
        const chosen = await chooseBatch(tx, choice, actor);
        const result = await storeOrders(tx, portion, known, {
          ...rules,
          ...submission,
          batch: chosen,
          actor,
        });
        await recordAct(tx, actor, 'task.submit', undefined, {
          ...describe(
            report(submission.tasks.length, [result], part === 0 ? refused : [], chosen),
            submission,
          ),
          ...(portions.length === 1 ? {} : { part: part + 1, parts: portions.length }),
        });
        return { result, known, chosen };
      }),
    );
    for (const [index, id] of done.known) earlier.set(index, id);
    stored.push(done.result);
    batch = done.chosen;
  }
  return report(submission.tasks.length, stored, refused, batch);
}

const MOST_ATTEMPTS = 3;

/** Somebody who did not lock the domain made a task for the same page, or removed a parent: looking again tells. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isWorthIt = isDuplicate(error) || errorCode(error) === FOREIGN_KEY_VIOLATION;
      if (!isWorthIt || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const FOREIGN_KEY_VIOLATION = '23503';

function cut(read: readonly ReadOrder[]): ReadOrder[][] {
  const portions: ReadOrder[][] = [];
  for (let at = 0; at < read.length; at += PORTION_TASKS) portions.push(read.slice(at, at + PORTION_TASKS));
  return portions;
}

function report(
  asked: number,
  stored: readonly StoredOrders[],
  refused: readonly OrderProblem[],
  batch?: TaskBatch,
): SubmitReport {
  const ids: (number | null)[] = Array.from({ length: asked }, () => null);
  let accepted = 0;
  for (const portion of stored) {
    accepted += portion.ids.size;
    for (const [index, id] of portion.ids) ids[index] = id;
  }
  return {
    ...{ accepted, ids, batchId: batch?.id ?? null },
    newDomains: stored.reduce((sum, { newDomains }) => sum + newDomains, 0),
    problems: [...refused, ...stored.flatMap(({ problems }) => problems)].sort((a, b) => a.index - b.index),
  };
}

function describe({ accepted, newDomains, batchId, problems }: SubmitReport, { tasks }: Submission) {
  const [first] = tasks;
  return {
    ...{ asked: tasks.length, accepted, refused: problems.length, newDomains },
    ...(batchId === null ? {} : { batchId }),
    ...(tasks.length === 1 && first !== undefined && problems.length === 0
      ? { url: showUrl(first.url) }
      : {}),
  };
}

/** One by itself: throws for what is wrong with it. */
export async function submitTask(
  db: Database,
  order: TaskOrder & BatchChoice,
  rules: SubmitRules,
  actor: Actor,
): Promise<TaskRow> {
  const { batchId, batchName, ...task } = order;
  const submission: Submission = { tasks: [task], batchId, batchName, onError: 'refuse-all' };
  const { ids, problems } = await submitTasks(db, submission, rules, actor);
  const [problem] = problems;
  if (problem !== undefined) throw describeProblem(problem);
  const [id] = ids;
  if (id === undefined || id === null) throw new Error('a task was neither made nor refused');
  return readTaskRow(db, id);
}

const HINTS: Readonly<Record<string, string>> = {
  'unknown-domain': 'FORAGER_UNKNOWN_DOMAINS=refuse is set: seed the domain first',
  'schedule-past': 'leave the time out to have it done at once',
  'schedule-too-far': 'leave the time out to have it done at once',
};

function describeProblem({ code, url, reason, taskId }: OrderProblem): ForagerError {
  const known = code === 'bad-url' ? hintOfBadPage(reason) : HINTS[code];
  const hint = taskId === null ? known : `watch or cancel task ${taskId}`;
  return new ForagerError(code, `${url}: ${reason}.`, hint === undefined ? {} : { hint });
}
