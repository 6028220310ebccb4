/** A portion of orders becomes tasks, in one transaction and a few statements, however many they are. */
import { reasonOfGoing } from '../../engine/seeds/going-domains.ts';
import { booleanArray, byteaArray, dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { Actor } from '../access/actor.ts';
import { BATCH_PAUSED, type TaskBatch } from '../batches/task-batch.ts';
import { describeInBatch, findBatchPages } from './batch-pages.ts';
import { findLiveTasks, keyOf, type LiveTask } from './live-tasks.ts';
import { ITEM_WORDS, type OrderWords } from './order-parents.ts';
import { type DomainRule, ensureTaskDomains, type NamedPage, type TaskDomains } from './task-domains.ts';
import { type OrderProblem, type ReadOrder, refuseOrder } from './task-order.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const findParents = load('find-parents');
const lockParents = load('lock-parents');
const drawIds = load('draw-task-ids');
const upsertPolicies = load('upsert-task-policies');
const insertTasks = load('insert-tasks');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export const DEFAULT_PRIORITY = 5;
const DEFAULT_RETRIES = 3;
const DEFAULT_FOLLOW_LIMIT = 100;
const DEFAULT_WANTED = 'price';

export interface StoreRules extends DomainRule {
  readonly batch: TaskBatch | undefined;
  /** Pages that the batch has already are passed over. */
  readonly skipKnownOfBatch?: boolean | undefined;
  /** Of those that name none. */
  readonly priority?: number | undefined;
  readonly actor: Actor;
  readonly words?: OrderWords | undefined;
}

export interface StoredOrders {
  /** By index: the task that was made. */
  readonly ids: ReadonlyMap<number, number>;
  readonly problems: readonly OrderProblem[];
  readonly newDomains: number;
}

interface Accepted extends ReadOrder {
  readonly id: number;
  readonly domainId: number;
  readonly parentId: number | undefined;
}

/** `earlier`: by index, the tasks of orders of the same call, that were made or were there already. */
export async function storeOrders(
  tx: Transaction,
  portion: readonly ReadOrder[],
  earlier: Map<number, number>,
  rules: StoreRules,
): Promise<StoredOrders> {
  const named = portion.flatMap(({ order, parentIndex }) => {
    const id = order.parentTaskId ?? (parentIndex === undefined ? undefined : earlier.get(parentIndex));
    return id ?? [];
  });
  const parents = await readParents(tx, named);
  const pages = [...portion.map(({ page }) => page), ...parents.values()];
  const domains = await ensureTaskDomains(tx, pages, rules);
  const places = portion.flatMap(({ page }) => withDomain(page, domains) ?? []);
  const live = await findLiveTasks(tx, places);
  const inBatch =
    rules.skipKnownOfBatch === true && rules.batch !== undefined
      ? await findBatchPages(tx, rules.batch.id, places, live)
      : new Map<string, number>();
  const numbers = await tx.query<{ id: number }>(drawIds, [portion.length]);
  const { accepted, problems } = decide(
    portion,
    earlier,
    { domains, live, inBatch, parents },
    numbers.rows.map(({ id }) => id),
    rules.words,
  );
  if (accepted.length > 0) await write(tx, accepted, rules);
  const ids = new Map(accepted.map(({ index, id }) => [index, id]));
  return { ids, problems, newDomains: domains.newIds.size };
}

async function readParents(tx: Transaction, ids: readonly number[]): Promise<Map<number, NamedPage>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<NamedPage & { id: number }>(findParents, [numberArray(ids)]);
  return new Map(rows.map(({ id, domain, url, hash }) => [id, { domain, url, hash }]));
}

function withDomain({ domain, hash }: NamedPage, { ids }: TaskDomains) {
  const domainId = ids.get(domain);
  return domainId === undefined ? undefined : { domainId, hash };
}

interface Facts {
  readonly domains: TaskDomains;
  readonly live: ReadonlyMap<string, LiveTask>;
  /** By page: the task of the same batch, where pages that it has are passed over. */
  readonly inBatch: ReadonlyMap<string, number>;
  readonly parents: ReadonlyMap<number, NamedPage>;
}

/** One after the other: parents come before their children, and of two for one page the first is taken. */
function decide(
  portion: readonly ReadOrder[],
  earlier: Map<number, number>,
  { domains, live, inBatch, parents }: Facts,
  numbers: readonly number[],
  words = ITEM_WORDS,
): { accepted: Accepted[]; problems: OrderProblem[] } {
  const accepted: Accepted[] = [];
  const problems: OrderProblem[] = [];
  const taken = new Map<string, Accepted>();
  for (const [at, one] of portion.entries()) {
    const { order, page, parentIndex, index } = one;
    const refuse = (code: string, reason: string, taskId: number | null = null): void => {
      problems.push(refuseOrder(one, code, reason, taskId));
    };
    const place = withDomain(page, domains);
    if (place === undefined) {
      const jobId = domains.going.get(page.domain);
      if (jobId !== undefined) refuse('domain-going', reasonOfGoing(jobId));
      else
        refuse('unknown-domain', `the domain ${page.domain} is not known, and unknown ones are refused here`);
      continue;
    }
    const key = keyOf(place);
    const known = inBatch.get(key);
    if (known !== undefined) {
      refuse(...describeInBatch(known));
      earlier.set(index, known);
      continue;
    }
    const other = live.get(key);
    if (other !== undefined) {
      refuse('duplicate-task', `task ${other.id} for this page is ${other.status}`, other.id);
      earlier.set(index, other.id);
      continue;
    }
    const twin = taken.get(key);
    if (twin !== undefined) {
      refuse('duplicate-task', `${words.name([twin.index])} is for the same page`, twin.id);
      earlier.set(index, twin.id);
      continue;
    }
    if (order.parentTaskId !== undefined && !parents.has(order.parentTaskId)) {
      refuse('unknown-parent', `there is no task ${order.parentTaskId} to wait for`);
      continue;
    }
    const parentId = order.parentTaskId ?? (parentIndex === undefined ? undefined : earlier.get(parentIndex));
    if (parentIndex !== undefined && parentId === undefined) {
      refuse('parent-refused', `${words.name([parentIndex])}, which it waits for, was refused`);
      continue;
    }
    const id = numbers[at];
    if (id === undefined) throw new Error('fewer numbers were drawn than there are tasks');
    const task = { ...one, id, domainId: place.domainId, parentId };
    accepted.push(task);
    taken.set(key, task);
    earlier.set(index, id);
  }
  return { accepted, problems };
}

async function write(tx: Transaction, accepted: readonly Accepted[], rules: StoreRules): Promise<void> {
  const { batch, actor } = rules;
  const priorityOf = ({ order }: Accepted): number => order.priority ?? rules.priority ?? DEFAULT_PRIORITY;
  const policies = await writePolicies(tx, accepted, priorityOf, actor);
  const own = new Set(accepted.map(({ id }) => id));
  const waiting = await findUnfinished(
    tx,
    accepted.flatMap(({ parentId }) => (parentId === undefined || own.has(parentId) ? [] : parentId)),
  );
  const isWaiting = ({ parentId }: Accepted): boolean =>
    parentId !== undefined && (own.has(parentId) || waiting.has(parentId));
  await tx.query(insertTasks, [
    numberArray(accepted.map(({ id }) => id)),
    numberArray(accepted.map(({ domainId }) => domainId)),
    textArray(accepted.map(({ page }) => page.url)),
    byteaArray(accepted.map(({ page }) => page.hash)),
    numberArray(accepted.map(priorityOf)),
    dateArray(accepted.map(({ order }) => order.scheduledAt)),
    numberArray(accepted.map(({ order }) => order.maxRetries ?? DEFAULT_RETRIES)),
    textArray(accepted.map(({ order }) => order.executor ?? 'forager')),
    numberArray(accepted.map(({ id }) => policies.get(id)?.id)),
    numberArray(accepted.map(({ id }) => policies.get(id)?.recrawlCount ?? 0)),
    numberArray(accepted.map(({ parentId }) => parentId)),
    booleanArray(accepted.map(isWaiting)),
    numberArray(accepted.map(({ order }) => order.followDepth ?? 0)),
    numberArray(accepted.map(({ order }) => order.followLimit ?? DEFAULT_FOLLOW_LIMIT)),
    batch?.id ?? null,
    batch?.isPaused ? 'paused' : 'pending',
    batch?.isPaused ? BATCH_PAUSED : null,
    actor.name,
    textArray(accepted.map(({ order }) => order.wanted ?? DEFAULT_WANTED)),
  ]);
  await tx.query(wakeScheduler);
}

interface TaskPolicy {
  readonly id: number;
  readonly taskId: number;
  readonly recrawlCount: number;
}

/** By task. */
async function writePolicies(
  tx: Transaction,
  accepted: readonly Accepted[],
  priorityOf: (task: Accepted) => number,
  actor: Actor,
): Promise<Map<number, TaskPolicy>> {
  const recurring = accepted.filter(({ order }) => order.isRecurring === true);
  if (recurring.length === 0) return new Map();
  const { rows } = await tx.query<TaskPolicy>(upsertPolicies, [
    numberArray(recurring.map(({ id }) => id)),
    numberArray(recurring.map(({ domainId }) => domainId)),
    textArray(recurring.map(({ page }) => page.url)),
    byteaArray(recurring.map(({ page }) => page.hash)),
    numberArray(recurring.map(({ order }) => order.crawlFrequencyHours)),
    numberArray(recurring.map(priorityOf)),
    numberArray(recurring.map(({ order }) => order.maxRetries ?? DEFAULT_RETRIES)),
    textArray(recurring.map(({ order }) => order.executor ?? 'forager')),
    dateArray(recurring.map(({ order }) => order.scheduledAt)),
    actor.name,
    numberArray(recurring.map(({ order }) => order.followDepth ?? 0)),
    numberArray(recurring.map(({ order }) => order.followLimit ?? DEFAULT_FOLLOW_LIMIT)),
    textArray(recurring.map(({ order }) => order.wanted ?? DEFAULT_WANTED)),
  ]);
  return new Map(rows.map((row) => [row.taskId, row]));
}

async function findUnfinished(tx: Transaction, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.query<{ id: number }>(lockParents, [numberArray(ids)]);
  return new Set(rows.map(({ id }) => id));
}
