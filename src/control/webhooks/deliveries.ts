/** What was sent to whom, every attempt of it, and sending it once more. */
import type { WebhookEvent } from '../../contract/webhooks.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { readWebhook } from './webhooks.ts';

const listDeliveriesSql = loadSql(import.meta.url, './list-deliveries.sql');
const readDeliverySql = loadSql(import.meta.url, './read-delivery.sql');
const listAttemptsSql = loadSql(import.meta.url, './list-attempts.sql');
const insertTestSql = loadSql(import.meta.url, './insert-test.sql');
const replayDeliverySql = loadSql(import.meta.url, './replay-delivery.sql');

export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  readonly messageId: string;
  readonly event: WebhookEvent;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attemptsCount: number;
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

export interface Attempt {
  readonly at: Date;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly answer: string | null;
}

export interface DeliveryDetails extends Delivery {
  readonly payload: unknown;
  readonly attempts: readonly Attempt[];
}

export async function listDeliveries(
  db: Database,
  webhookId: number,
  state: Delivery['state'] | undefined,
  below: number | undefined,
  limit: number,
): Promise<Delivery[]> {
  await readWebhook(db, webhookId);
  return (await db.query<Delivery>(listDeliveriesSql, [webhookId, below ?? null, state ?? null, limit])).rows;
}

export async function readDelivery(db: Database, id: number): Promise<DeliveryDetails> {
  // In this order: of every attempt that is shown the delivery shows what came of it.
  const attempts = (await db.query<Attempt>(listAttemptsSql, [id])).rows;
  return { ...(await findDelivery(db, id)), attempts };
}

/** A test message, to be sent like any other. */
export async function orderTest(db: Database, webhookId: number, actor: Actor): Promise<Delivery> {
  return inTransaction(db, async (tx) => {
    const [row] = (await tx.query<{ id: number }>(insertTestSql, [webhookId, actor.name])).rows;
    if (row === undefined) throw await describeOff(tx, webhookId);
    await recordAct(tx, actor, 'webhook.test', String(webhookId), { deliveryId: row.id });
    return withoutPayload(await findDelivery(tx, row.id));
  });
}

export async function replayDelivery(db: Database, id: number, actor: Actor): Promise<Delivery> {
  return inTransaction(db, async (tx) => {
    const { webhookId } = await findDelivery(tx, id);
    if (!(await readWebhook(tx, webhookId)).isEnabled) throw await describeOff(tx, webhookId);
    if ((await tx.query(replayDeliverySql, [id])).rowCount > 0) {
      await recordAct(tx, actor, 'webhook.replay', String(webhookId), { deliveryId: id });
    }
    return withoutPayload(await findDelivery(tx, id));
  });
}

type StoredDelivery = Delivery & { readonly payload: unknown };

async function findDelivery(db: Queryable, id: number): Promise<StoredDelivery> {
  const [found] = (await db.query<StoredDelivery>(readDeliverySql, [id])).rows;
  if (found !== undefined) return found;
  throw new ForagerError('unknown-delivery', `There is no delivery ${id}.`, {
    hint: '"forager webhook deliveries" shows those of a webhook',
  });
}

function withoutPayload({ payload: _payload, ...delivery }: StoredDelivery): Delivery {
  return delivery;
}

/** Why nothing can be sent to it: it is not there, or it is off. */
async function describeOff(db: Queryable, webhookId: number): Promise<ForagerError> {
  const { disabledReason } = await readWebhook(db, webhookId);
  const why = disabledReason === null ? '' : `: ${disabledReason}`;
  return new ForagerError('webhook-disabled', `Webhook ${webhookId} is switched off${why}.`, {
    hint: '"forager webhook enable" switches it on again',
  });
}
