/** What `forager dead-letter …` does, and what it says about it. */
import type { Command } from 'commander';
import { listDeadLetters } from '../control/dead-letters/list-dead-letters.ts';
import {
  type RequeueReport,
  requeueDeadLetter,
  requeueDeadLetters,
} from '../control/dead-letters/requeue.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { type FitColumn, fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';

const LONGEST_REASON = 200;

const COLUMNS: readonly FitColumn[] = [
  { title: 'ID', align: 'right' },
  { title: 'AT', drop: 2 },
  { title: 'QUEUE', drop: 1 },
  { title: 'TASK', align: 'right' },
  { title: 'URL', least: SHORTEST_URL },
];

interface ListOptions {
  readonly queue?: string;
  readonly domain?: string;
  readonly limit: number;
}

export async function showDeadLetters(command: Command): Promise<void> {
  const context = makeContext(command);
  const { queue, domain, limit } = command.optsWithGlobals<ListOptions>();
  const found = await withDatabase(context.config, (db) =>
    listDeadLetters(db, { queue, domain }, undefined, limit + 1),
  );
  const letters = found.slice(0, limit);
  if (context.isJson) for (const letter of letters) context.printJson(letter);
  else if (letters.length === 0) context.printLine('Nothing was given up.');
  else {
    const [head = '', ...lines] = fitTable(
      context.out,
      COLUMNS,
      letters.map((letter) => [
        ...[String(letter.id), formatMoment(letter.createdAt), printable(letter.queue)],
        ...[String(letter.taskId ?? '-'), printable(letter.url ?? '-')],
      ]),
    );
    context.printLine(context.out.style.bold(head));
    for (const [index, line] of lines.entries()) {
      context.printLine(line);
      printBelow(context, (letters[index]?.reason ?? '').slice(0, LONGEST_REASON));
    }
  }
  if (found.length > limit) context.err.write('There are more: --limit shows more of them.\n');
}

interface RequeueOptions extends ListOptions {
  readonly all?: true;
  readonly dryRun?: true;
}

export async function requeueAndTell(ids: readonly number[], command: Command): Promise<void> {
  const context = makeContext(command);
  const { queue, domain, all, limit, dryRun = false } = command.optsWithGlobals<RequeueOptions>();
  const isFiltered = queue !== undefined || domain !== undefined || all === true;
  if (ids.length > 0 === isFiltered) {
    throw new UsageError(
      'Which ones? Either numbers, or all of a kind.',
      'give numbers, or --domain, --queue or --all',
    );
  }
  if (all === true && (queue !== undefined || domain !== undefined)) {
    throw new UsageError('--all is for those of every queue and domain: leave it out.');
  }
  if (ids.length > 0 && dryRun)
    throw new UsageError('--dry-run counts those of a kind: leave the numbers out.');
  if (ids.length > 0) return requeueEach(context, ids);
  const order = { queue, domain, limit, dryRun };
  const report = await withDatabase(context.config, (db) => requeueDeadLetters(db, order, cliActor()));
  if (context.isJson) context.printJson(report);
  else for (const line of describeReport(report)) context.printLine(line);
}

async function requeueEach(context: CommandContext, ids: readonly number[]): Promise<void> {
  await withDatabase(context.config, async (db) => {
    for (const id of ids) {
      const done = await requeueDeadLetter(db, id, cliActor());
      const { taskId, url } = done.deadLetter;
      if (context.isJson) context.printJson(done);
      else if (!done.changed) context.printLine(`Dead letter ${id} was dealt with before.`);
      else if (taskId === null) context.printLine(`Dead letter ${id} has no task: it counts as dealt with.`);
      else context.printLine(`Task ${taskId} is pending again: ${printable(url ?? '')}`);
    }
  });
}

function describeReport({ isDryRun, matched, requeued, dismissed, skipped }: RequeueReport): string[] {
  if (matched === 0) return ['Nothing was given up that fits.'];
  const verb = isDryRun ? 'would be' : requeued === 1 ? 'is' : 'are';
  const lines = [`${formatCount(requeued)} ${requeued === 1 ? 'task' : 'tasks'} ${verb} pending again.`];
  if (dismissed > 0) lines.push(`${formatCount(dismissed)} without a task: dealt with.`);
  if (skipped > 0)
    lines.push(`${formatCount(skipped)} left alone: their page has another task that is not over.`);
  return lines;
}
