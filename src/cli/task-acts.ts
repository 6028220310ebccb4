/** `task pause`, `resume`, `cancel`, `restart …` and `priority`: one after the other, and what came of each. */
import type { Command } from 'commander';
import { findBatch } from '../control/batches/read-batches.ts';
import { findDomain } from '../control/domains/find-domain.ts';
import { actOnTask, type TaskChange } from '../control/tasks/act-on-task.ts';
import { changePriority, changeTask } from '../control/tasks/change-task.ts';
import { countRestartable, restartFailed } from '../control/tasks/restart-failed.ts';
import { expectSchedule } from '../control/tasks/schedule.ts';
import { type MovingAction, TASK_ACTIONS } from '../control/tasks/task-actions.ts';
import { now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { ForagerError, PlatformError } from '../platform/errors.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, QuietExit, UsageError } from './exit.ts';
import { formatCount, printable } from './format.ts';
import { formatMoment } from './moments.ts';
import { showMoves } from './move-progress.ts';

interface ActOptions {
  readonly priority?: number;
  readonly at?: Date;
  readonly keepRetries?: true;
}

export async function actAndTell(
  action: MovingAction,
  ids: readonly number[],
  command: Command,
): Promise<void> {
  const { priority, at, keepRetries } = command.optsWithGlobals<ActOptions>();
  // Wrong for all of them, and wrong use of the command.
  expectSchedule(at, now());
  const options = { priority, scheduledAt: at, resetRetryCount: keepRetries !== true };
  const { done } = TASK_ACTIONS[action];
  await forEach(
    ids,
    command,
    (db, id) => actOnTask(db, id, action, cliActor(), options),
    ({ changed, from, task }) => {
      if (!changed) return `is ${from}: nothing to be done`;
      if (from !== task.status) return `is ${done}: it was ${from} and is ${task.status} now`;
      return `is ${from} as before: its priority is ${task.priority}, its time ${formatMoment(task.scheduledAt)}`;
    },
  );
}

export async function prioritizeAndTell(ids: readonly number[], command: Command): Promise<void> {
  const { to } = command.optsWithGlobals<{ readonly to: number }>();
  await forEach(
    ids,
    command,
    (db, id) => changePriority(db, id, to, cliActor()),
    ({ changed }) => (changed ? `has priority ${to} now` : `has priority ${to} already`),
  );
}

interface SetOptions {
  /** False: none. */
  readonly parent?: number | false;
  readonly maxRetries?: number;
}

export async function setAndTell(ids: readonly number[], command: Command): Promise<void> {
  const { parent, maxRetries } = command.optsWithGlobals<SetOptions>();
  if (parent === undefined && maxRetries === undefined) {
    throw new UsageError(
      'Nothing to set: no setting was given.',
      'give --parent, --no-parent or --max-retries',
    );
  }
  const patch = { parentTaskId: parent === false ? null : parent, maxRetries };
  await forEach(
    ids,
    command,
    (db, id) => changeTask(db, id, patch, cliActor()),
    ({ task }) => `${describeParent(task)}; it may be tried again ${describeTimes(task.maxRetries)}`,
  );
}

function describeParent({ parentTaskId, isWaiting }: TaskChange['task']): string {
  if (parentTaskId === null) return 'waits for no other task';
  return isWaiting
    ? `waits for task ${parentTaskId}`
    : `has task ${parentTaskId}, which is completed, before it`;
}

function describeTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** All are tried; what was wrong with some is told, and ends the command with 1. */
async function forEach(
  ids: readonly number[],
  command: Command,
  act: (db: Database, id: number) => Promise<TaskChange>,
  describe: (change: TaskChange) => string,
): Promise<void> {
  const context = makeContext(command);
  const failures = await withDatabase(context.config, async (db) => {
    let count = 0;
    for (const id of new Set(ids)) {
      try {
        const change = await act(db, id);
        tell(context, change, `Task ${id} ${describe(change)}.`);
      } catch (error) {
        if (!(error instanceof ForagerError) || error instanceof PlatformError) throw error;
        count += 1;
        tellFailure(context, id, error);
      }
    }
    return count;
  });
  if (failures > 0) throw new QuietExit(EXIT_FAILED);
}

function tell(context: CommandContext, { changed, from, task }: TaskChange, sentence: string): void {
  if (context.isJson) context.printJson({ changed, from, ...task });
  else context.printLine(sentence);
}

function tellFailure(context: CommandContext, id: number, error: ForagerError): void {
  if (context.isJson) context.printJson({ id, changed: false, code: error.code, error: error.message });
  const hint = error.hint === undefined ? '' : ` (${error.hint})`;
  context.err.write(`forager: ${printable(`${error.message}${hint}`)}\n`);
}

interface FailedOptions {
  readonly domain?: string;
  readonly batch?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly dryRun?: true;
}

export async function restartFailedAndTell(command: Command): Promise<void> {
  const context = makeContext(command);
  const { domain, batch, since, limit, dryRun } = command.optsWithGlobals<FailedOptions>();
  const report = await withDatabase(context.config, async (db) => {
    const filter = {
      domainId: domain === undefined ? undefined : (await findDomain(db, domain)).id,
      batchId: batch === undefined ? undefined : (await findBatch(db, batch)).id,
      failedAfter: since,
    };
    if (dryRun) return countRestartable(db, filter, limit);
    return showMoves(context, 'restarted', (onPortion) =>
      restartFailed(db, filter, limit, cliActor(), { onPortion }),
    );
  });
  if (context.isJson) {
    context.printJson(report);
    return;
  }
  const { restarted, skipped, matched, isPartial } = report;
  const what = `${formatCount(restarted)} failed ${restarted === 1 ? 'task' : 'tasks'}`;
  context.printLine(dryRun ? `${what} would be restarted.` : `${what} restarted.`);
  if (matched !== null && (isPartial || matched > restarted + skipped)) {
    context.printLine(
      `${formatCount(matched)}${isPartial ? ' or more' : ''} fit in all; --limit takes more.`,
    );
  }
  if (skipped > 0)
    context.printLine(`${formatCount(skipped)} left out: their pages have a newer or a live task.`);
}
