/** Webhooks over HTTP. */
import { z } from 'zod';
import { rowId } from '../../contract/values.ts';
import * as contract from '../../contract/webhooks.ts';
import { openBox } from '../../control/secrets/open-box.ts';
import {
  listDeliveries,
  orderTest,
  readDelivery,
  replayDelivery,
} from '../../control/webhooks/deliveries.ts';
import * as webhooks from '../../control/webhooks/webhooks.ts';
import { actorOf } from '../actor-of.ts';
import { readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const position = z.tuple([rowId]);
const placeOf = (deliveryId: number): string => `/api/admin/webhook-deliveries/${deliveryId}`;

export function webhooksRoutes(parts: ServerParts): Route[] {
  const { db, config } = parts;
  return [
    route(contract.listWebhooks, async ({ query: { cursor, limit } }) => {
      const [below] = readCursor('webhooks', position, cursor) ?? [];
      const rows = await webhooks.listWebhooks(db, below, limit + 1);
      return toPage(rows, limit, ({ id }) => writeCursor('webhooks', [id]));
    }),
    route(contract.createWebhook, async (call) => {
      const rules = { box: await openBox(db, config), allowPrivate: config.allowPrivate };
      const made = await webhooks.createWebhook(db, call.body, rules, actorOf(call));
      call.reply.header('location', `/api/admin/webhooks/${made.webhook.id}`);
      return made;
    }),
    route(contract.getWebhook, ({ params }) => webhooks.readWebhook(db, params.id)),
    route(contract.changeWebhook, (call) =>
      webhooks.changeWebhook(db, call.params.id, call.body, config.allowPrivate, actorOf(call)),
    ),
    route(contract.deleteWebhook, (call) => webhooks.deleteWebhook(db, call.params.id, actorOf(call))),
    route(contract.rotateWebhookSecret, async (call) => {
      const box = await openBox(db, config);
      return webhooks.rotateSecret(db, call.params.id, call.body, box, actorOf(call));
    }),
    route(contract.testWebhook, async (call) => {
      const delivery = await orderTest(db, call.params.id, actorOf(call));
      call.reply.header('location', placeOf(delivery.id));
      return delivery;
    }),
    route(contract.listWebhookDeliveries, async ({ params, query: { cursor, limit, state } }) => {
      const list = `webhook-deliveries:${params.id}`;
      const [below] = readCursor(list, position, cursor) ?? [];
      const rows = await listDeliveries(db, params.id, state, below, limit + 1);
      return toPage(rows, limit, ({ id }) => writeCursor(list, [id]));
    }),
    route(contract.getWebhookDelivery, ({ params }) => readDelivery(db, params.id)),
    route(contract.replayWebhookDelivery, async (call) => {
      const delivery = await replayDelivery(db, call.params.id, actorOf(call));
      call.reply.header('location', placeOf(delivery.id));
      return delivery;
    }),
  ];
}
