/** The history of a domain in `domain info`: what moved it, who, and why. */

import type { DomainEvent } from '../control/domains/read-domain-events.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import type { CommandContext } from './context.ts';
import { printHeading } from './field-list.ts';
import { formatCount, printable } from './format.ts';
import { formatInstant, formatMoment } from './moments.ts';
import { paintStatus } from './show-domains.ts';
import { wrapFor } from './wrap-text.ts';

const SHOWN = 10;

export function printHistory(context: CommandContext, events: readonly DomainEvent[]): void {
  if (events.length === 0) return;
  const { style } = context.out;
  printHeading(context, 'History');
  for (const event of events.slice(0, SHOWN)) {
    const move = `${paintStatus(event.from, style)} → ${paintStatus(event.to, style)}`;
    context.printLine(`  ${formatInstant(event.at)}  ${move}  ${printable(event.code)}`);
    for (const line of wrapFor(context.out, printable(describe(event)), 6)) {
      context.printLine(style.dim(`      ${line}`));
    }
  }
  if (events.length > SHOWN) {
    context.printLine(style.dim(`  and ${formatCount(events.length - SHOWN)} more, with --json`));
  }
}

function describe({ meaning, reason, actor, run, restsUntil }: DomainEvent): string {
  const why = [meaning, reason === meaning ? null : reason].filter((part) => part !== null && part !== '');
  const parts = [
    why.join(': '),
    actor === null ? '' : `by ${actor}`,
    run === null || run === STANDING_RUN ? '' : `run ${run}`,
    restsUntil === null ? '' : `until ${formatMoment(restsUntil)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}
