/** What `forager webhook …` does with webhooks, and what it says about it. */
import type { Command } from 'commander';
import type { WebhookEvent } from '../contract/webhooks.ts';
import { openBox } from '../control/secrets/open-box.ts';
import { listDeliveries, orderTest, readDelivery } from '../control/webhooks/deliveries.ts';
import { WebhookSender } from '../control/webhooks/webhook-sender.ts';
import * as webhooks from '../control/webhooks/webhooks.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, QuietExit, UsageError } from './exit.ts';
import { printFields, printHeading } from './field-list.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatDuration, printable, shorten } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import { readPassword } from './read-password.ts';
import { printDeliveries } from './webhook-delivery-lines.ts';

const MOST_SHOWN = 1000;
const LONGEST_DESCRIPTION = 500;
const DESCRIPTION_WIDTH = 30;

interface AddOptions {
  readonly events: WebhookEvent[];
  readonly description?: string;
  readonly secretStdin?: true;
}

export async function addWebhook(url: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { events, description, secretStdin } = command.optsWithGlobals<AddOptions>();
  if (
    description !== undefined &&
    (description.length > LONGEST_DESCRIPTION || printable(description) !== description)
  ) {
    throw new UsageError(`A description is one line of at most ${LONGEST_DESCRIPTION} characters.`);
  }
  const { config } = context;
  const wanted = { url, events, description, secret: await readSecret(secretStdin) };
  const made = await withDatabase(config, async (db) => {
    const rules = { box: await openBox(db, config), allowPrivate: config.allowPrivate };
    return webhooks.createWebhook(db, wanted, rules, cliActor());
  });
  tellSecret(context, made, `Webhook ${made.webhook.id} is told of ${events.join(', ')}. Its secret:`);
}

export async function rotateWebhook(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { graceHours, secretStdin } = command.optsWithGlobals<{ graceHours: number; secretStdin?: true }>();
  const secret = await readSecret(secretStdin);
  const made = await withDatabase(context.config, async (db) =>
    webhooks.rotateSecret(db, id, { secret, graceHours }, await openBox(db, context.config), cliActor()),
  );
  const { previousSecretUntil: until } = made.webhook;
  const before = until === null ? '' : `; the one before still signs until ${formatMoment(until)}`;
  tellSecret(context, made, `Webhook ${id} has a new secret${before}:`);
}

/** Never as an argument: those are in the history of the shell and in the list of processes. */
async function readSecret(secretStdin: true | undefined): Promise<string | undefined> {
  return secretStdin === true ? readPassword({ passwordStdin: true }) : undefined;
}

function tellSecret(context: CommandContext, made: webhooks.WebhookWithSecret, sentence: string): void {
  if (context.isJson) {
    context.printJson({ ...made.webhook, secret: made.secret });
    return;
  }
  context.printLine(sentence);
  context.printLine(context.out.style.bold(made.secret));
  context.printLine('It is shown this once.');
}

export async function showWebhooks(command: Command): Promise<void> {
  const context = makeContext(command);
  const found = await withDatabase(context.config, (db) => webhooks.listWebhooks(db, undefined, MOST_SHOWN));
  if (context.isJson) {
    for (const webhook of found) context.printJson(webhook);
    return;
  }
  if (found.length === 0) {
    context.printLine(
      `There are no webhooks. "${context.suggest('webhook add URL --events all')}" makes one.`,
    );
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[{ title: 'ID', align: 'right' as const }, { title: 'STATE' }, { title: 'MADE', drop: 2 }],
      ...[
        { title: 'DESCRIPTION', drop: 1 },
        { title: 'URL', least: SHORTEST_URL },
      ],
    ],
    found.map((webhook) => [
      ...[String(webhook.id), webhook.isEnabled ? 'on' : 'off', formatMoment(webhook.createdAt)],
      ...[printable(shorten(webhook.description ?? '-', DESCRIPTION_WIDTH)), printable(webhook.url)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const [index, webhook] of found.entries()) {
    context.printLine(lines[index] ?? '');
    printBelow(context, `told of ${webhook.events.join(', ')}`);
    if (webhook.disabledReason !== null) printBelow(context, describeState(webhook));
  }
}

function describeState({ isEnabled, disabledReason }: webhooks.Webhook): string {
  if (isEnabled) return 'on';
  return disabledReason === null ? 'off' : `off: ${disabledReason}`;
}

export async function showWebhook(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { webhook, deliveries } = await withDatabase(context.config, async (db) => ({
    webhook: await webhooks.readWebhook(db, id),
    deliveries: await listDeliveries(db, id, undefined, undefined, 10),
  }));
  if (context.isJson) {
    context.printJson({ ...webhook, deliveries });
    return;
  }
  printFields(context, [
    ...([
      ['URL', webhook.url],
      ['Description', webhook.description],
      ['State', describeState(webhook)],
      ['Told of', webhook.events.join(', ')],
      ['Given up in a row', webhook.failureCount === 0 ? undefined : webhook.failureCount],
    ] as const),
    ...([
      ['Old secret signs until', webhook.previousSecretUntil && formatMoment(webhook.previousSecretUntil)],
      ['Made', `${formatMoment(webhook.createdAt)} by ${webhook.createdBy}`],
      ['Changed', describeMoment(webhook.updatedAt)],
    ] as const),
  ]);
  printHeading(context, 'Last deliveries');
  printDeliveries(context, deliveries);
}

/** Sent from here: also where nothing runs that would send it. */
export async function testWebhook(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { config } = context;
  const delivery = await withDatabase(config, async (db) => {
    const ordered = await orderTest(db, id, cliActor());
    const sender = new WebhookSender({ db, config });
    try {
      // A sender that runs elsewhere may be faster; what it saw is shown then.
      await sender.sendNow(ordered.id);
    } finally {
      await sender.stop();
    }
    return readDelivery(db, ordered.id);
  });
  const [attempt] = delivery.attempts;
  if (context.isJson) context.printJson(delivery);
  else if (delivery.state === 'delivered') {
    const took = attempt === undefined ? '' : ` in ${formatDuration(attempt.durationMs)}`;
    context.printLine(`Delivered: it was answered with ${delivery.lastStatus}${took}.`);
  } else {
    context.printLine(`Not delivered: ${printable(delivery.lastError ?? 'another sender is at it')}`);
    if (attempt?.answer) context.printLine(`Answer: ${printable(attempt.answer.slice(0, 300))}`);
    if (delivery.nextAttemptAt !== null)
      context.printLine(`It is tried again at ${formatMoment(delivery.nextAttemptAt)}.`);
  }
  if (delivery.state !== 'delivered') throw new QuietExit(EXIT_FAILED);
}

export async function switchWebhook(id: number, isEnabled: boolean, command: Command): Promise<void> {
  const context = makeContext(command);
  const { config } = context;
  const webhook = await withDatabase(config, (db) =>
    webhooks.changeWebhook(db, id, { isEnabled }, config.allowPrivate, cliActor()),
  );
  if (context.isJson) context.printJson(webhook);
  else context.printLine(`Webhook ${id} is ${isEnabled ? 'on' : 'off'}: ${printable(webhook.url)}`);
}

export async function removeWebhook(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  await withDatabase(context.config, (db) => webhooks.deleteWebhook(db, id, cliActor()));
  if (context.isJson) context.printJson({ id, isRemoved: true });
  else context.printLine(`Webhook ${id} is removed.`);
}
