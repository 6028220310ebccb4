/** What a bot has brought for a task, as it is told. */
import type { Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { readTaskRow } from '../tasks/list-tasks.ts';

const readRow = loadSql(import.meta.url, './read-result.sql');

export interface TaskResult {
  readonly resultId: string;
  readonly taskId: number;
  readonly url: string;
  readonly domain: string;
  /** Null: the bot is not there any more. */
  readonly botId: string | null;
  readonly lockToken: string;
  /** In digits: exact. */
  readonly price: string | null;
  readonly currency: string | null;
  readonly title: string | null;
  readonly inStock: boolean | null;
  readonly parsedData: Readonly<Record<string, unknown>> | null;
  /** The page came with it, and is kept. */
  readonly hasHtml: boolean;
  readonly crawledAt: Date;
  readonly createdAt: Date;
  /** What is known of the product at its URL, if anything. */
  readonly productId: number | null;
}

export async function findResult(db: Queryable, taskId: number): Promise<TaskResult | undefined> {
  return (await db.query<TaskResult>(readRow, [taskId])).rows[0];
}

/** Throws for a task that has none, or is not there. */
export async function readResult(db: Queryable, taskId: number): Promise<TaskResult> {
  const result = await findResult(db, taskId);
  if (result !== undefined) return result;
  const { status, executor } = await readTaskRow(db, taskId);
  const reason =
    executor === 'bot' ? `it is ${status}, and no bot has brought one` : 'it is not one that bots work on';
  throw new ForagerError('no-result', `Task ${taskId} has no result: ${reason}.`);
}
