/** What `forager webhook deliveries` and `replay` do, and what they say about it. */
import type { Command } from 'commander';
import {
  type Delivery,
  type DeliveryDetails,
  listDeliveries,
  readDelivery,
  replayDelivery,
} from '../control/webhooks/deliveries.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printFields, printHeading } from './field-list.ts';
import { formatTable, printable, shorten } from './format.ts';
import { describeMoment, formatInstant } from './moments.ts';
import { tellDeliveries } from './webhook-delivery-lines.ts';

const TEXT_WIDTH = 80;

interface ListOptions {
  readonly state?: Delivery['state'];
  readonly delivery?: number;
  readonly limit: number;
}

export async function showDeliveries(webhookId: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { state, delivery, limit } = command.optsWithGlobals<ListOptions>();
  if (delivery !== undefined) return showDelivery(context, webhookId, delivery);
  const found = await withDatabase(context.config, (db) =>
    listDeliveries(db, webhookId, state, undefined, limit + 1),
  );
  const shown = found.slice(0, limit);
  if (context.isJson) for (const one of shown) context.printJson(one);
  else for (const line of tellDeliveries(context, shown)) context.printLine(line);
  if (found.length > limit) context.err.write('There are more: --limit shows more of them.\n');
}

async function showDelivery(context: CommandContext, webhookId: number, id: number): Promise<void> {
  const delivery = await withDatabase(context.config, (db) => readDelivery(db, id));
  if (delivery.webhookId !== webhookId) {
    throw new UsageError(`Delivery ${id} is one of webhook ${delivery.webhookId}.`);
  }
  if (context.isJson) context.printJson(delivery);
  else printDelivery(context, delivery);
}

function printDelivery(context: CommandContext, delivery: DeliveryDetails): void {
  printFields(context, [
    ['Message', delivery.messageId],
    ['Event', delivery.event],
    ['State', delivery.state],
    ['Made', formatInstant(delivery.createdAt)],
    ['Delivered', delivery.deliveredAt && formatInstant(delivery.deliveredAt)],
    ['Next attempt', delivery.nextAttemptAt && describeMoment(delivery.nextAttemptAt)],
    ['Error', delivery.lastError],
    ['Payload', JSON.stringify(delivery.payload)],
  ]);
  printHeading(context, 'Attempts');
  const lines = formatTable(
    [
      ...[{ title: 'AT' }, { title: 'STATUS' }, { title: 'MS', align: 'right' as const }],
      ...[{ title: 'ERROR' }, { title: 'ANSWER' }],
    ],
    delivery.attempts.map((attempt) => [
      ...[formatInstant(attempt.at), String(attempt.httpStatus ?? '-'), String(attempt.durationMs)],
      ...[attempt.error, attempt.answer].map((text) => printable(shorten(text ?? '-', TEXT_WIDTH))),
    ]),
  );
  for (const line of lines) context.printLine(line);
}

export async function replay(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const delivery = await withDatabase(context.config, (db) => replayDelivery(db, id, cliActor()));
  if (context.isJson) context.printJson(delivery);
  else context.printLine(`Delivery ${id} is sent once more, as ${delivery.messageId}.`);
}
