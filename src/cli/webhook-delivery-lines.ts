/** Deliveries of a webhook as a table, with what went wrong below. */
import type { Delivery } from '../control/webhooks/deliveries.ts';
import type { CommandContext } from './context.ts';
import { fitTable } from './fit-table.ts';
import { shorten } from './format.ts';
import { describeMoment, formatInstant } from './moments.ts';
import { printBelow } from './print-below.ts';

const LONGEST_ERROR = 300;
const LONGEST_EVENT = 16;

export function printDeliveries(context: CommandContext, deliveries: readonly Delivery[]): void {
  if (deliveries.length === 0) {
    context.printLine('Nothing was sent yet.');
    return;
  }
  const { style } = context.out;
  const paint = { delivered: style.green, pending: style.yellow, failed: style.red };
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[{ title: 'ID', align: 'right' as const }, { title: 'AT', drop: 4 }, { title: 'STATE' }],
      ...[
        { title: 'TRIES', align: 'right' as const, drop: 1 },
        { title: 'STATUS', drop: 2 },
      ],
      ...[
        { title: 'NEXT', drop: 3 },
        { title: 'EVENT', least: LONGEST_EVENT },
      ],
    ],
    deliveries.map((delivery) => [
      ...[String(delivery.id), formatInstant(delivery.createdAt), paint[delivery.state](delivery.state)],
      ...[String(delivery.attemptsCount), String(delivery.lastStatus ?? '-')],
      ...[describeMoment(delivery.nextAttemptAt), delivery.event],
    ]),
  );
  context.printLine(style.bold(head));
  for (const [index, line] of lines.entries()) {
    context.printLine(line);
    const error = deliveries[index]?.lastError ?? null;
    if (error !== null) printBelow(context, shorten(error, LONGEST_ERROR));
  }
}
