/** Deliveries of a webhook as a table. */
import type { Delivery } from '../control/webhooks/deliveries.ts';
import type { CommandContext } from './context.ts';
import { formatTable, printable, shorten } from './format.ts';
import { describeMoment, formatInstant } from './moments.ts';

const ERROR_WIDTH = 70;

export function tellDeliveries(context: CommandContext, deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return ['Nothing was sent yet.'];
  const { style } = context.out;
  const paint = { delivered: style.green, pending: style.yellow, failed: style.red };
  const [head = '', ...lines] = formatTable(
    [
      ...[{ title: 'ID', align: 'right' as const }, { title: 'AT' }, { title: 'EVENT' }, { title: 'STATE' }],
      ...[
        { title: 'TRIES', align: 'right' as const },
        { title: 'STATUS' },
        { title: 'NEXT' },
        { title: 'ERROR' },
      ],
    ],
    deliveries.map((delivery) => [
      ...[String(delivery.id), formatInstant(delivery.createdAt), delivery.event],
      ...[
        paint[delivery.state](delivery.state),
        String(delivery.attemptsCount),
        String(delivery.lastStatus ?? '-'),
      ],
      ...[describeMoment(delivery.nextAttemptAt), printable(shorten(delivery.lastError ?? '-', ERROR_WIDTH))],
    ]),
  );
  return [style.bold(head), ...lines];
}
