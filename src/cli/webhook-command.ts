/** `forager webhook …`: who is told of what happens. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DELIVERY_STATES, WEBHOOK_EVENTS, type WebhookEvent } from '../contract/webhooks.ts';
import { positiveInteger, rowLimit, wholeNumber } from './option-values.ts';

const ADD_EXAMPLES = `
Examples:
  forager webhook add https://example.com/hooks --events task.completed,task.failed
  forager webhook add https://example.com/hooks --events alert.raised --description "on call"
  openssl rand -base64 32 | sed 's/^/whsec_/' | forager webhook add https://example.com/hooks --events all --secret-stdin

Events: ${WEBHOOK_EVENTS.slice(0, 4).join(', ')},
${WEBHOOK_EVENTS.slice(4).join(', ')}; "all" is all of them. product.changed tells what a
product was and what it is now; one that is seen for the first time has not changed.

Messages follow Standard Webhooks (standardwebhooks.com): a POST of {"type", "timestamp", "data"}, signed with the
secret, which is printed this once. Whatever is not answered with 2xx within 15 s is sent again after 5 s, 5 min,
30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. "forager up" and "forager scheduler" send them.`;

const TEST_EXAMPLES = `
Examples:
  forager webhook test 3

Sends one message at once, from here, and shows what was answered.`;

const ROTATE_EXAMPLES = `
Examples:
  forager webhook rotate 3
  forager webhook rotate 3 --grace-hours 0     # the old one has leaked

Until the grace is over messages are signed with both secrets.`;

const DELIVERIES_EXAMPLES = `
Examples:
  forager webhook deliveries 3
  forager webhook deliveries 3 --state failed --json
  forager webhook deliveries 3 --delivery 1234

With --delivery: the message, and every attempt to send it.`;

const ID = 'its number';

export function addWebhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('who is told of what happens');
  const actions = () => import('./webhook-actions.ts');
  webhook
    .command('add')
    .description('add a webhook, and print its secret once')
    .argument('<url>', 'where messages are sent')
    .requiredOption('--events <list>', 'what it is told of, separated by commas', eventList)
    .option('--description <text>', 'what it is for')
    .option('--secret-stdin', 'read the secret from standard input instead of making one')
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (url: string, _options: unknown, command: Command) => {
      await (await actions()).addWebhook(url, command);
    });
  webhook
    .command('list')
    .description('list webhooks')
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showWebhooks(command);
    });
  webhook
    .command('show')
    .description('show one webhook and its last deliveries')
    .argument('<id>', ID, positiveInteger)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).showWebhook(id, command);
    });
  webhook
    .command('test')
    .description('send a test message and show what was answered')
    .argument('<id>', ID, positiveInteger)
    .addHelpText('after', TEST_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).testWebhook(id, command);
    });
  for (const [name, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    webhook
      .command(name)
      .description(
        isEnabled ? 'switch a webhook on' : 'switch a webhook off; what waits is sent when it is on again',
      )
      .argument('<id>', ID, positiveInteger)
      .action(async (id: number, _options: unknown, command: Command) => {
        await (await actions()).switchWebhook(id, isEnabled, command);
      });
  }
  webhook
    .command('rotate')
    .description('give a webhook a new secret, and print it once')
    .argument('<id>', ID, positiveInteger)
    .option('--grace-hours <n>', 'how long the secret before still signs', graceHours, 24)
    .option('--secret-stdin', 'read the secret from standard input instead of making one')
    .addHelpText('after', ROTATE_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).rotateWebhook(id, command);
    });
  webhook
    .command('remove')
    .description('remove a webhook with its deliveries')
    .argument('<id>', ID, positiveInteger)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).removeWebhook(id, command);
    });
  addDeliveryCommands(webhook);
}

function addDeliveryCommands(webhook: Command): void {
  const actions = () => import('./webhook-delivery-actions.ts');
  webhook
    .command('deliveries')
    .description('what was sent to a webhook, the latest first')
    .argument('<id>', 'the number of the webhook', positiveInteger)
    .addOption(new Option('--state <state>', 'only those in this state').choices(DELIVERY_STATES))
    .option('--delivery <id>', 'one of them, with its message and attempts', positiveInteger)
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', DELIVERIES_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).showDeliveries(id, command);
    });
  webhook
    .command('replay')
    .description('send a message once more, with the same webhook-id')
    .argument('<delivery>', 'the number of the delivery', positiveInteger)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).replay(id, command);
    });
}

function eventList(text: string): WebhookEvent[] {
  if (text.trim() === 'all') return [...WEBHOOK_EVENTS];
  const names = new Set(text.split(',').map((name) => name.trim()));
  const known = WEBHOOK_EVENTS.filter((event) => names.has(event));
  if (known.length === names.size) return known;
  throw new InvalidArgumentError(
    `It must be some of ${WEBHOOK_EVENTS.join(', ')}, separated by commas, or "all".`,
  );
}

function graceHours(text: string): number {
  const hours = wholeNumber(text);
  if (hours > 168) throw new InvalidArgumentError('It must be at most 168, which is a week.');
  return hours;
}
