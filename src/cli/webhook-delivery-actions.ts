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
import { formatTable, shorten } from './format.ts';
import { describeMoment, formatInstant } from './moments.ts';
import { printBelow } from './print-below.ts';
import { printDeliveries } from './webhook-delivery-lines.ts';

const LONGEST_TEXT = 300;

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
  else printDeliveries(context, shown);
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
  const [head = '', ...lines] = formatTable(
    [{ title: 'AT' }, { title: 'STATUS' }, { title: 'MS', align: 'right' }],
    delivery.attempts.map(({ at, httpStatus, durationMs }) => [
      ...[formatInstant(at), String(httpStatus ?? '-'), String(durationMs)],
    ]),
  );
  context.printLine(head);
  for (const [index, line] of lines.entries()) {
    context.printLine(line);
    const { error = null, answer = null } = delivery.attempts[index] ?? {};
    if (error !== null) printBelow(context, shorten(error, LONGEST_TEXT));
    if (answer !== null && answer !== '') printBelow(context, `answer: ${shorten(answer, LONGEST_TEXT)}`);
  }
}

export async function replay(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const delivery = await withDatabase(context.config, (db) => replayDelivery(db, id, cliActor()));
  if (context.isJson) context.printJson(delivery);
  else context.printLine(`Delivery ${id} is sent once more, as ${delivery.messageId}.`);
}
