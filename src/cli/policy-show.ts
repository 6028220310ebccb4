/** Prints one policy with its last runs: `policy show`. */
import type { Command } from 'commander';
import { type PolicyDetails, type PolicyRun, readPolicy } from '../control/policies/policy.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { printable, shorten } from './format.ts';
import { describeFrequency } from './frequency-option.ts';
import { describeMoment, formatInstant } from './moments.ts';
import { describeDelay } from './policy-delay.ts';
import { describeState } from './policy-list.ts';

const WIDEST_ERROR = 60;

export async function showPolicy(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const policy = await withDatabase(context.config, (db) => readPolicy(db, id));
  if (context.isJson) context.printJson(policy);
  else printPolicy(context, policy);
}

function printPolicy(context: CommandContext, policy: PolicyDetails): void {
  const { style } = context.out;
  context.printLine(`${style.bold(`Policy ${policy.id}`)}  ${describeState(policy, style)}`);
  printFields(context, [
    ['page', policy.url],
    ['domain', policy.domain],
    ['every', describeFrequency(policy.frequencyHours)],
    ['next run', describeNext(policy)],
    ['priority', policy.priority],
    ['retries', policy.maxRetries],
    ['after failures', `${policy.retryBackoffMinutes} min, doubled with each in a row`],
    ['executor', policy.executor],
    ['follows', policy.followDepth === 0 ? null : `${policy.followDepth} deep, ${policy.followLimit} a page`],
    ['wanted of a bot', policy.executor === 'bot' ? policy.wanted : null],
    ['time for a bot', policy.executor === 'bot' ? `${policy.timeoutMinutes} min` : null],
    ['runs', policy.runsCount],
    ['failed in a row', policy.failureCount || null],
    ['last success', describeMoment(policy.lastSuccessAt)],
    ['last failure', describeMoment(policy.lastFailedAt)],
    ['made', `${formatInstant(policy.createdAt)} by ${policy.createdBy}`],
  ]);
  printHeading(context, 'Last runs');
  if (policy.runs.length === 0) context.printLine('  none yet');
  else for (const line of formatRuns(context, policy.runs)) context.printLine(`  ${line}`);
}

function describeNext(policy: PolicyDetails): string {
  const { isEnabled, liveTaskId, nextRunAt } = policy;
  if (liveTaskId !== null) return `when task ${liveTaskId} is over${describeDelay(policy)}`;
  return isEnabled ? formatInstant(nextRunAt) : 'none: it is off';
}

function formatRuns({ out }: CommandContext, runs: readonly PolicyRun[]): string[] {
  return fitTable(
    { isInteractive: out.isInteractive, columns: out.columns - 2 },
    [
      { title: 'TASK', align: 'right' },
      { title: 'STATUS' },
      { title: 'SCHEDULED', drop: 3 },
      { title: 'OVER', drop: 4 },
      { title: 'RETRIES', align: 'right', drop: 1 },
      { title: 'HTTP', align: 'right', drop: 2 },
      { title: 'ERROR', least: SHORTEST_URL },
    ],
    runs.map((run) => [
      ...[String(run.taskId), run.status, formatInstant(run.scheduledAt), describeMoment(run.completedAt)],
      ...[String(run.retryCount), run.httpStatus === null ? '-' : String(run.httpStatus)],
      printable(shorten(run.errorMessage ?? '', WIDEST_ERROR)),
    ]),
  );
}
