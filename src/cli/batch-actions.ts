/** What `forager batch …` does, and what it says about it. */
import type { Command } from 'commander';
import { TASK_STATUSES } from '../contract/task-shapes.ts';
import { type BatchAction, moveBatch } from '../control/batches/move-batch.ts';
import { listBatches, readBatch } from '../control/batches/read-batches.ts';
import { TASK_ACTIONS } from '../control/tasks/task-actions.ts';
import { cliActor } from './cli-actor.ts';
import { makeContext, withDatabase } from './context.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, pad, printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { showMoves } from './move-progress.ts';
import { paintTask } from './task-list.ts';

export async function showBatches(command: Command): Promise<void> {
  const context = makeContext(command);
  const { search, limit } = command.optsWithGlobals<{ readonly search?: string; readonly limit: number }>();
  const rows = await withDatabase(context.config, (db) => listBatches(db, search, undefined, limit));
  if (context.isJson) {
    for (const row of rows) context.printJson(row);
    return;
  }
  if (rows.length === 0) {
    context.printLine(
      `There are no such batches. "${context.suggest('task submit --batch NAME URL')}" makes one.`,
    );
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'NAME', least: SHORTEST_URL },
      { title: 'ID', align: 'right' },
      { title: 'PAUSED' },
      { title: 'MADE BY', drop: 2 },
      { title: 'MADE', drop: 1 },
    ],
    rows.map((row) => [
      ...[printable(row.name), String(row.id), describeMoment(row.pausedAt), printable(row.createdBy)],
      formatMoment(row.createdAt),
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

export async function showBatch(which: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const batch = await withDatabase(context.config, (db) => readBatch(db, which));
  if (context.isJson) {
    context.printJson(batch);
    return;
  }
  const { style } = context.out;
  const paused =
    batch.pausedAt === null ? '' : style.yellow(`  paused since ${formatMoment(batch.pausedAt)}`);
  context.printLine(`${style.bold(printable(batch.name))}  batch ${batch.id}${paused}`);
  context.printLine(style.dim(`  made by ${printable(batch.createdBy)}, ${formatMoment(batch.createdAt)}`));
  const width = formatCount(batch.total).length;
  for (const status of TASK_STATUSES) {
    const count = batch.byStatus[status];
    if (count === undefined) continue;
    context.printLine(`  ${pad(formatCount(count), width, 'right')}  ${paintTask(status, style)}`);
  }
  context.printLine(`  ${pad(formatCount(batch.total), width, 'right')}  in all`);
}

export async function moveAndTell(action: BatchAction, which: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { onlyFailed } = command.optsWithGlobals<{ readonly onlyFailed?: true }>();
  const { done } = TASK_ACTIONS[action];
  const report = await withDatabase(context.config, (db) =>
    showMoves(context, done, (onPortion) =>
      moveBatch(db, which, action, cliActor(), { onlyFailed: onlyFailed === true, onPortion }),
    ),
  );
  if (context.isJson) {
    context.printJson(report);
    return;
  }
  const { moved, skipped, batch } = report;
  const tasks = `${formatCount(moved)} ${moved === 1 ? 'task' : 'tasks'}`;
  context.printLine(`${tasks} of ${printable(batch.name)} (batch ${batch.id}) ${done}.`);
  if (skipped > 0)
    context.printLine(`${formatCount(skipped)} left out: their pages have a newer or a live task.`);
}
