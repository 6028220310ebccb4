/** Prints `scheduler list`. */
import type { Command } from 'commander';
import { listSchedulers, type SchedulerRow } from '../control/schedulers/list-schedulers.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { fitTable } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatSpan } from './moments.ts';
import type { Style } from './terminal.ts';

export async function showSchedulers(command: Command): Promise<void> {
  const context = makeContext(command);
  const schedulers = await withDatabase(context.config, listSchedulers);
  if (context.isJson) for (const scheduler of schedulers) context.printJson(scheduler);
  else if (schedulers.length > 0) printSchedulers(context, schedulers);
  else context.printLine('No scheduler has been here within a day. "forager scheduler" starts one.');
}

function printSchedulers(context: CommandContext, schedulers: readonly SchedulerRow[]): void {
  const { style } = context.out;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'SCHEDULER' },
      { title: 'STATE' },
      { title: 'LEADS SINCE' },
      { title: 'TICKS', align: 'right' },
      { title: 'LAST TICK' },
      { title: 'HEARD OF' },
    ],
    schedulers.map((scheduler) => [
      printable(scheduler.id),
      paintState(scheduler.state, style),
      describeMoment(scheduler.leadsSince),
      formatCount(scheduler.ticks),
      scheduler.lastTickMs === null ? '-' : `${formatCount(scheduler.lastTickMs)} ms`,
      `${formatSpan(scheduler.heartbeatAgeSeconds)} ago`,
    ]),
  );
  context.printLine(style.bold(head));
  for (const line of lines) context.printLine(line);
  if (schedulers.every(({ state }) => state !== 'leading')) {
    context.printLine('None of them leads: tasks and policies that are due wait until one does.');
  }
}

function paintState(state: SchedulerRow['state'], style: Style): string {
  if (state === 'leading') return style.green(state);
  return state === 'dead' ? style.red(state) : state;
}
