/** Prints one task with its history as a timeline: `task show`. */
import type { Command } from 'commander';
import type { Wanted } from '../contract/task-shapes.ts';
import { findResult } from '../control/results/read-result.ts';
import { readTask, type TaskDetails } from '../control/tasks/read-task.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { formatTable, pad, printable } from './format.ts';
import { describeFrequency } from './frequency-option.ts';
import { describeMoment, formatInstant, formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import { printResult } from './show-result.ts';
import { paintTask } from './task-list.ts';
import { wrapFor } from './wrap-text.ts';

const LONGEST_MESSAGE = 200;

export async function showTask(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { maxConcurrentRequests } = context.config;
  const { task, result } = await withDatabase(context.config, async (db) => {
    const task = await readTask(db, id, maxConcurrentRequests);
    return { task, result: task.executor === 'bot' ? await findResult(db, id) : undefined };
  });
  if (context.isJson) {
    context.printJson(task.executor === 'bot' ? { ...task, result: result ?? null } : task);
    return;
  }
  const { style } = context.out;
  context.printLine(`${style.bold(`Task ${task.id}`)}  ${printable(task.url)}`);
  for (const [name, value] of factsOf(task, context)) {
    const [first = '', ...rest] = name === 'state' ? [value] : wrapFor(context.out, value, 14);
    context.printLine(`  ${style.dim(pad(name, 10, 'left'))}  ${first}`);
    for (const line of rest) context.printLine(`${' '.repeat(14)}${line}`);
  }
  if (result !== undefined) printResult(context, result);
  printHistory(context, task);
  printErrors(context, task);
}

function factsOf(task: TaskDetails, { out: { style } }: CommandContext): [string, string][] {
  const facts: [string, string | undefined][] = [
    [
      'state',
      `${paintTask(task.status, style)}${task.statusReason === null ? '' : `: ${printable(task.statusReason)}`}`,
    ],
    ['waits for', task.waitsFor === null ? undefined : describeWait(task.waitsFor)],
    ['domain', task.domain],
    ['priority', `${task.priority} (1 is the most urgent)`],
    ['scheduled', formatMoment(task.scheduledAt)],
    ['begun', task.startedAt === null ? undefined : formatInstant(task.startedAt)],
    ['over', task.completedAt === null ? undefined : formatInstant(task.completedAt)],
    ['retries', `${task.retryCount} of ${task.maxRetries}`],
    ['error', task.errorMessage ?? undefined],
    ['answer', describeAnswer(task)],
    ['led to', task.finalUrl ?? undefined],
    [
      'executor',
      task.executor === 'bot' ? `a bot, which is to bring ${WANTED_WORDS[task.wanted]}` : undefined,
    ],
    ['held by', task.lockedBy ?? undefined],
    ['repeats', describeRecurrence(task)],
    ['batch', task.batchId === null ? undefined : `${task.batchName} (${task.batchId})`],
    ['parent', task.parentTaskId === null ? undefined : `task ${task.parentTaskId}`],
    ['children', task.childrenCount === 0 ? undefined : String(task.childrenCount)],
    ['follows', task.followDepth === 0 ? undefined : `${task.followDepth} deep, ${task.followLimit} a page`],
    ['ordered', `by ${task.createdBy}, ${formatInstant(task.createdAt)}`],
  ];
  // The state is painted already.
  return facts.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, name === 'state' ? value : printable(value)]],
  );
}

const WANTED_WORDS: Readonly<Record<Wanted, string>> = {
  ...{ price: 'the price', page: 'the page', data: 'data', any: 'whatever it finds' },
};

function describeWait({ sentence, until }: NonNullable<TaskDetails['waitsFor']>): string {
  return until === null ? sentence : `${sentence} Until ${formatMoment(until)}.`;
}

function describeAnswer({ httpStatus, responseTimeMs, proxyId, hasBody }: TaskDetails): string | undefined {
  if (httpStatus === null) return undefined;
  const took = responseTimeMs === null ? '' : ` in ${responseTimeMs} ms`;
  const through = proxyId === null ? '' : ` through proxy ${proxyId}`;
  return `status ${httpStatus}${took}${through}${hasBody ? ', its body is kept' : ''}`;
}

function describeRecurrence(task: TaskDetails): string | undefined {
  const { isRecurring, crawlFrequencyHours, policyId, policyTaskId, nextCrawlAt } = task;
  if (!isRecurring || crawlFrequencyHours === null) return undefined;
  const next = policyTaskId === null ? describeMoment(nextCrawlAt) : `when task ${policyTaskId} is over`;
  return `every ${describeFrequency(crawlFrequencyHours)} by policy ${policyId}, next ${next}`;
}

function printHistory(context: CommandContext, { history }: TaskDetails): void {
  const { style } = context.out;
  context.printLine();
  context.printLine(style.bold('History'));
  for (const { at, from, to, actor, reason } of history) {
    const mark = from === null ? '┌' : '├';
    const what = from === null ? `created as ${to}` : `${from} → ${to}`;
    const why = reason === null ? '' : style.dim(`  ${printable(reason)}`);
    context.printLine(
      `  ${style.dim(mark)} ${formatInstant(at)}  ${pad(what, 26, 'left')}  ${printable(actor)}${why}`.trimEnd(),
    );
  }
}

function printErrors(context: CommandContext, { errors }: TaskDetails): void {
  if (errors.length === 0) return;
  const { style } = context.out;
  context.printLine();
  context.printLine(style.bold('Errors'));
  const [head = '', ...lines] = formatTable(
    ['WHEN', 'ATTEMPT', 'CATEGORY', 'CODE'].map((title) => ({ title })),
    errors.map(({ at, attempt, category, code }) => [
      ...[formatInstant(at), String(attempt), category, printable(code)],
    ]),
  );
  context.printLine(`  ${style.dim(head)}`);
  for (const [index, line] of lines.entries()) {
    context.printLine(`  ${line}`);
    printBelow(context, (errors[index]?.message ?? '').slice(0, LONGEST_MESSAGE));
  }
}
