/** Prints `worker list`. */

import type { Command } from 'commander';
import {
  listWorkers,
  readStrangers,
  type Strangers,
  type WorkerRow,
} from '../control/workers/list-workers.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { fitTable } from './fit-table.ts';
import { formatCount, formatRate, printable } from './format.ts';
import { formatMoment, formatSpan } from './moments.ts';
import type { Style } from './terminal.ts';
import { wrapFor } from './wrap-text.ts';

export async function showWorkers(command: Command): Promise<void> {
  const context = makeContext(command);
  const { workers, strangers } = await withDatabase(context.config, async (db) => ({
    workers: await listWorkers(db),
    strangers: await readStrangers(db),
  }));
  if (context.isJson) {
    for (const worker of workers) context.printJson(worker);
    return;
  }
  if (workers.length === 0) {
    context.printLine('No worker has been here within a day. "forager worker" starts one.');
  } else printWorkers(context, workers);
  printStrangers(context, strangers);
}

function printWorkers(context: CommandContext, workers: readonly WorkerRow[]): void {
  const { style } = context.out;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'WORKER' },
      { title: 'STATE' },
      { title: 'DOMAINS', align: 'right' },
      { title: 'IN FLIGHT', align: 'right' },
      { title: 'PAGES', align: 'right' },
      { title: 'PAGES/S', align: 'right' },
      { title: 'HEARD OF' },
    ],
    workers.map((worker) => [
      printable(worker.id),
      worker.state === 'stopped' ? worker.state : paintState(worker.state, style),
      formatCount(worker.domainsHeld),
      formatCount(worker.inFlight),
      formatCount(worker.pages),
      worker.pagesPerSecond === null ? '-' : formatRate(worker.pagesPerSecond),
      `${formatSpan(worker.heartbeatAgeSeconds)} ago`,
    ]),
  );
  context.printLine(style.bold(head));
  for (const [index, worker] of workers.entries()) {
    const line = lines[index] ?? '';
    context.printLine(worker.state === 'stopped' ? style.dim(line) : line);
    const [first = '', ...rest] = wrapFor(context.out, printable(describeWorker(worker)), 5);
    context.printLine(style.dim(`  └─ ${first}`));
    for (const more of rest) context.printLine(style.dim(`     ${more}`));
  }
}

function paintState(state: WorkerRow['state'], style: Style): string {
  if (state === 'dead') return style.red(state);
  return state === 'draining' ? style.yellow(state) : style.green(state);
}

function describeWorker(worker: WorkerRow): string {
  const parts = [
    worker.run === STANDING_RUN ? worker.kind : `${worker.kind}, run ${worker.run}`,
    `process ${worker.pid} on ${worker.host}`,
    `started ${formatMoment(worker.startedAt)}`,
  ];
  if (worker.stoppedAt !== null) parts.push(`stopped ${formatMoment(worker.stoppedAt)}`);
  if (worker.state !== 'stopped' && worker.domainsSaid !== worker.domainsHeld) {
    parts.push(`said it holds ${formatCount(worker.domainsSaid)}`);
  }
  return parts.join(', ');
}

function printStrangers(context: CommandContext, { holders, domains }: Strangers): void {
  if (holders === 0) return;
  const who =
    holders === 1
      ? '1 process that is not registered holds'
      : `${holders} processes that are not registered hold`;
  const what = domains === 1 ? '1 domain' : `${formatCount(domains)} domains`;
  context.printLine();
  context.printLine(`${who} ${what}: "forager domain claims" lists the holders.`);
}
