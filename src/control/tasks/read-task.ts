/** All there is to know about one task. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { explainWait, type WaitFacts, type WaitsFor } from './explain-wait.ts';
import { readTaskRow, type TaskRow, unknownTask } from './list-tasks.ts';

const readEvents = loadSql(import.meta.url, './read-task-events.sql');
const readErrors = loadSql(import.meta.url, './read-task-errors.sql');
const countChildren = loadSql(import.meta.url, './count-children.sql');
const readWaitFacts = loadSql(import.meta.url, './read-wait-facts.sql');

const MOST_EVENTS = 1000;

export interface TaskEvent {
  readonly id: number;
  readonly at: Date;
  /** Null: it was created. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  readonly actor: string;
  readonly reason: string | null;
}

export interface TaskError {
  readonly at: Date;
  readonly category: string;
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number | null;
  readonly attempt: number;
  readonly worker: string | null;
}

export interface TaskDetails extends TaskRow {
  readonly waitsFor: WaitsFor | null;
  readonly history: readonly Omit<TaskEvent, 'id'>[];
  readonly errors: readonly TaskError[];
  readonly childrenCount: number;
  /** Of its policy, the one that is not over: the next run counts from its end. */
  readonly policyTaskId: number | null;
}

/** @param mostPerDomain jobs of one domain that may be with bots at once, where it says nothing itself */
export async function readTask(db: Database, id: number, mostPerDomain: number): Promise<TaskDetails> {
  const task = await readTaskRow(db, id);
  const [events, errors, children, facts] = await Promise.all([
    listTaskEvents(db, id, undefined, MOST_EVENTS),
    db.query<TaskError>(readErrors, [id]),
    db.query<{ count: number }>(countChildren, [id]),
    db.query<WaitFacts & { policyTaskId: number | null }>(readWaitFacts, [id, mostPerDomain]),
  ]);
  const [wait] = facts.rows;
  if (wait === undefined) throw unknownTask(id);
  return {
    ...task,
    waitsFor: explainWait(wait),
    history: events.reverse().map(({ id: _id, ...event }) => event),
    errors: errors.rows,
    childrenCount: children.rows[0]?.count ?? 0,
    policyTaskId: wait.policyTaskId,
  };
}

/** The newest first. */
export async function listTaskEvents(
  db: Database,
  id: number,
  before: number | undefined,
  limit: number,
): Promise<TaskEvent[]> {
  return (await db.query<TaskEvent>(readEvents, [id, before ?? null, limit])).rows;
}
