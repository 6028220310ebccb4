/** Prints how many tasks are in which state, and how long they take: `task stats`. */
import type { Command } from 'commander';
import { TASK_STATUSES } from '../contract/task-shapes.ts';
import { findBatch } from '../control/batches/read-batches.ts';
import { findDomain } from '../control/domains/find-domain.ts';
import { countTasks, type TaskStats } from '../control/tasks/count-tasks.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { formatCount, formatDuration, pad } from './format.ts';
import { paintTask } from './task-list.ts';

interface StatsOptions {
  readonly domain?: string;
  readonly batch?: string;
  readonly since?: Date;
}

export async function showTaskStats(command: Command): Promise<void> {
  const context = makeContext(command);
  const { domain, batch, since } = command.optsWithGlobals<StatsOptions>();
  const stats = await withDatabase(context.config, async (db) =>
    countTasks(db, {
      since,
      domainId: domain === undefined ? undefined : (await findDomain(db, domain)).id,
      batchId: batch === undefined ? undefined : (await findBatch(db, batch)).id,
    }),
  );
  if (context.isJson) context.printJson(stats);
  else printStats(context, stats);
}

function printStats(context: CommandContext, stats: TaskStats): void {
  const { total, byStatus, averageDurationMs, averageWaitMs, isPartial } = stats;
  const width = formatCount(total).length;
  for (const status of TASK_STATUSES) {
    const count = byStatus[status];
    if (count === undefined) continue;
    const what = paintTask(status, context.out.style);
    context.printLine(`${pad(formatCount(count), width, 'right')}  ${what}`);
  }
  context.printLine(`${pad(formatCount(total), width, 'right')}  in all`);
  if (isPartial) context.printLine('There are more: the newest were counted, and no others.');
  if (averageWaitMs !== null && averageDurationMs !== null) {
    const [waited, took] = [averageWaitMs, averageDurationMs].map(formatDuration);
    context.printLine(`Completed ones waited for ${waited} and took ${took}, on average.`);
  }
}
