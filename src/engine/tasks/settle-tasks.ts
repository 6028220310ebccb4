/** What became of the tasks of a batch: written in its transaction, under the same fence. */
import { prepared } from '../../platform/database.ts';
import { booleanArray, byteaArray, dateArray, numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { BodyLocation } from '../store/body-store.ts';
import { segmentIds } from '../store/segment-ids.ts';
import type { Visit } from '../visit.ts';
import type { DueTask } from './due-task.ts';
import { strandedEnding, type TaskEnding, taskEnding } from './task-ending.ts';

const settle = prepared('settle-tasks', loadSql(import.meta.url, './settle-tasks.sql'));
const addChildren = loadSql(import.meta.url, './add-child-tasks.sql');
const raisePriority = loadSql(import.meta.url, './raise-task-priority.sql');
const wakeScheduler = loadSql(import.meta.url, './wake-scheduler.sql');

interface EndedTask {
  readonly visit: Visit;
  readonly task: DueTask;
  readonly ending: TaskEnding;
}

interface SettledRow {
  readonly id: number;
  readonly domain_id: number;
  readonly status: TaskEnding['status'];
  readonly priority: number;
}

export interface SettledWith {
  readonly bodies: ReadonlyMap<Visit, BodyLocation>;
  /** Tasks that were redirected to a domain that is not known, where none is made known by a task. */
  readonly stranded: ReadonlySet<number>;
}

export interface SettledTasks {
  /** task:completed, task:failed … */
  readonly tallies: ReadonlyMap<string, number>;
  /** Domains that have queued tasks again. */
  readonly queuedAgain: ReadonlySet<number>;
  /** Bodies that wait for a parser from now on. */
  readonly left: readonly { readonly id: number; readonly domainId: number; readonly priority: number }[];
}

export async function settleTasks(
  tx: Transaction,
  workerId: string,
  visits: readonly Visit[],
  { bodies, stranded }: SettledWith,
): Promise<SettledTasks> {
  const ended = visits.flatMap((visit): EndedTask[] => {
    const { task } = visit.due;
    const ending =
      task === undefined
        ? undefined
        : stranded.has(task.id)
          ? strandedEnding(visit)
          : taskEnding(visit, task);
    return task === undefined || ending === undefined ? [] : [{ visit, task, ending }];
  });
  const tallies = new Map<string, number>();
  if (ended.length === 0) return { tallies, queuedAgain: new Set(), left: [] };
  const settled = await writeEndings(tx, workerId, ended, bodies);
  for (const { status } of settled) {
    const name = `task:${status === 'pending' ? 'retried' : status}`;
    tallies.set(name, (tallies.get(name) ?? 0) + 1);
  }
  const queuedAgain = await queueAgain(tx, settled);
  await writeChildren(tx, ended, settled);
  const left = settled
    .filter(({ status }) => status === 'queued_parse')
    .map(({ id, domain_id: domainId, priority }) => ({ id, domainId, priority }));
  return { tallies, queuedAgain, left };
}

async function writeEndings(
  tx: Transaction,
  workerId: string,
  ended: readonly EndedTask[],
  bodies: ReadonlyMap<Visit, BodyLocation>,
): Promise<readonly SettledRow[]> {
  const places = ended.map(({ visit }) => bodies.get(visit));
  const segments = await segmentIds(tx, new Set(places.flatMap((place) => place?.segment ?? [])));
  const { rows } = await tx.query<SettledRow>(settle, [
    workerId,
    numberArray(ended.map(({ task }) => task.id)),
    numberArray(ended.map(({ visit }) => visit.lease.version)),
    textArray(ended.map(({ ending }) => ending.status)),
    textArray(ended.map(({ ending }) => ending.reason)),
    textArray(ended.map(({ ending }) => ending.error)),
    booleanArray(ended.map(({ ending }) => ending.isRetried)),
    numberArray(ended.map(({ visit }) => visit.outcome.httpStatus ?? null)),
    numberArray(ended.map(({ visit }) => Math.round(visit.durationMs))),
    dateArray(ended.map(({ visit }) => visit.fetchedAt)),
    textArray(ended.map(finalUrl)),
    numberArray(places.map((place) => (place === undefined ? null : (segments.get(place.segment) ?? null)))),
    numberArray(places.map((place) => place?.offset ?? null)),
    numberArray(places.map((place) => place?.length ?? null)),
    booleanArray(ended.map(({ visit }) => visit.outcome.kind === 'not-modified')),
    numberArray(ended.map(({ visit }) => visit.lease.domainId)),
    byteaArray(ended.map(({ visit }) => visit.due.hash)),
    numberArray(ended.map(({ visit }) => visit.proxyId)),
  ]);
  return rows;
}

/** Where redirects have led, if anywhere. */
function finalUrl({ visit, task }: EndedTask): string | undefined {
  if (visit.movedTo !== undefined) return visit.movedTo;
  return visit.due.url === task.url ? undefined : visit.due.url;
}

/** The domain says so: whoever holds it looks for more. */
async function queueAgain(tx: Transaction, settled: readonly SettledRow[]): Promise<Set<number>> {
  const best = new Map<number, number>();
  for (const { domain_id: id, priority, status } of settled) {
    if (status === 'queued') best.set(id, Math.min(priority, best.get(id) ?? priority));
  }
  if (best.size > 0) await tx.query(raisePriority, [[...best.keys()], [...best.values()]]);
  return new Set(best.keys());
}

async function writeChildren(
  tx: Transaction,
  ended: readonly EndedTask[],
  settled: readonly SettledRow[],
): Promise<void> {
  const completed = new Set(settled.filter(({ status }) => status === 'completed').map(({ id }) => id));
  await addChildTasks(
    tx,
    ended.flatMap(({ visit, task }) =>
      completed.has(task.id) ? (visit.named ?? []).map((page) => ({ taskId: task.id, ...page })) : [],
    ),
  );
}

/** Pages named by the pages of tasks become tasks of their own. */
export async function addChildTasks(
  tx: Transaction,
  named: readonly { readonly taskId: number; readonly url: string; readonly hash: Buffer }[],
): Promise<void> {
  if (named.length === 0) return;
  const { rowCount } = await tx.query(addChildren, [
    numberArray(named.map(({ taskId }) => taskId)),
    textArray(named.map(({ url }) => url)),
    byteaArray(named.map(({ hash }) => hash)),
  ]);
  if (rowCount > 0) await tx.query(wakeScheduler);
}
