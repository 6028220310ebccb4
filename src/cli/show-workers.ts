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
import { printBelow } from './print-below.ts';
import type { Style } from './terminal.ts';
import { wrapFor } from './wrap-text.ts';

/** Names begin with the host; the end tells two of one host apart. */
const SHORTEST_ID = 16;

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
      { title: 'WORKER', least: SHORTEST_ID },
      { title: 'STATE' },
      { title: 'DOES' },
      { title: 'DOMAINS', align: 'right', drop: 3 },
      { title: 'IN FLIGHT', align: 'right', drop: 1 },
      { title: 'PAGES', align: 'right', drop: 4 },
      { title: 'PAGES/S', align: 'right', drop: 2 },
      { title: 'HEARD OF', drop: 5 },
    ],
    workers.map((worker) => [
      printable(worker.id),
      worker.state === 'stopped' ? worker.state : paintState(worker.state, style),
      worker.duties.join(', '),
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
    printBelow(context, describeWorker(worker));
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
  const sentence = `${who} ${what}: "forager domain claims" lists the holders.`;
  for (const line of wrapFor(context.out, sentence, 0)) context.printLine(line);
}
