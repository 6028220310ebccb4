/** Tasks for bots, and results handed in for them, without the routes: for tests of what a result becomes. */
import { randomBytes } from 'node:crypto';
import {
  type NewResult,
  type RecordedResult,
  recordResult,
} from '../../src/control/results/record-result.ts';
import type { Queryable } from '../../src/platform/database.ts';
import { inTransaction, type Transaction } from '../../src/platform/transaction.ts';
import type { TestDatabase } from './postgres.ts';
import { plantTasks } from './tasks.ts';

export interface BotTask {
  readonly id: number;
  readonly domain_id: number;
  readonly url: string;
  readonly url_hash: Buffer;
}

/** A completed task, as it is when nothing but its result is of interest; a page may have any number of those. */
export async function plantBotTask(database: TestDatabase, url: string): Promise<BotTask> {
  const [id] = await plantTasks(database.db, [{ url, status: 'pending' }]);
  await database.execute("update crawl_tasks set status = 'cancelled', executor = 'bot' where id = $1", [id]);
  const { rows } = await database.db.query<BotTask>(
    'select id, domain_id, url, url_hash from crawl_tasks where id = $1',
    [id],
  );
  const [task] = rows;
  if (task === undefined) throw new Error('no task was planted');
  return task;
}

export async function plantBot(database: TestDatabase): Promise<number> {
  const name = `bot-${randomBytes(4).toString('hex')}`;
  const { rows } = await database.execute<{ id: number }>(
    'insert into bots (bot_id) values ($1) returning id',
    [name],
  );
  return rows[0]?.id ?? 0;
}

let lastToken = 0;

export async function handIn(
  database: TestDatabase,
  task: BotTask,
  changes: Partial<NewResult>,
): Promise<RecordedResult> {
  return inTransaction(database.db, (tx) => handInWithin(tx, task, changes));
}

export function handInWithin(
  tx: Transaction,
  task: BotTask,
  changes: Partial<NewResult>,
): Promise<RecordedResult> {
  lastToken += 1;
  return recordResult(tx, {
    ...{ taskId: task.id, domainId: task.domain_id, url: task.url, urlHash: task.url_hash, botId: 1 },
    ...{ lockToken: String(lastToken), price: '99.99', currency: 'USD', title: 'A kettle', inStock: true },
    ...{ parsedData: null, crawledAt: new Date(), hasHtml: false, ...changes },
  });
}

export interface Point {
  readonly at: Date;
  readonly price: string;
  readonly currency: string;
  readonly availability: string | null;
}

export async function readHistory(db: Queryable, productId: number | undefined): Promise<Point[]> {
  const { rows } = await db.query<Point>(
    `select at, trim_scale(price)::text as price, currency, availability from price_points
      where product_id = $1 order by at`,
    [productId],
  );
  return rows;
}

export interface ProductRow {
  readonly id: number;
  readonly name: string | null;
  readonly price: string;
  readonly currency: string;
  readonly availability: string | null;
  readonly data: unknown;
  readonly task_id: number | null;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly updated_at: Date;
}

export async function readProduct(db: Queryable, productId: number | undefined): Promise<ProductRow> {
  const { rows } = await db.query<ProductRow>(
    `select id, name, trim_scale(price)::text as price, currency, availability, data, task_id, first_seen_at,
            last_seen_at, updated_at from products where id = $1`,
    [productId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no product ${productId}`);
  return row;
}
