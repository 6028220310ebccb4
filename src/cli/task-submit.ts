/** `forager task submit`: one page, some, or a file of any size, a thousand at a time. */
import type { Command } from 'commander';
import type { Wanted } from '../contract/task-shapes.ts';
import { findBatch } from '../control/batches/read-batches.ts';
import type { BatchChoice } from '../control/batches/task-batch.ts';
import { submitTask } from '../control/tasks/submit-tasks.ts';
import type { TaskOrder } from '../control/tasks/task-order.ts';
import { monotonicMs } from '../platform/clock.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';
import { printable } from './format.ts';
import { startSeedProgress } from './seed-progress.ts';
import { hearStopSignals } from './stop-signals.ts';
import { type ManyOrders, OrderSubmission } from './submit-orders.ts';
import { printSummary } from './submit-summary.ts';
import { openTaskInput } from './task-input.ts';

interface SubmitOptions {
  readonly file?: string;
  readonly priority?: number;
  readonly at?: Date;
  readonly maxRetries?: number;
  readonly every?: number;
  readonly batch?: string;
  readonly parent?: number;
  readonly followDepth?: number;
  readonly followLimit?: number;
  readonly executor?: 'forager' | 'bot';
  readonly wanted?: Wanted;
  readonly allowPrivate?: true;
  readonly again?: true;
  readonly refuseAll?: true;
}

export async function submitAndTell(urls: readonly string[], command: Command): Promise<void> {
  const options = command.optsWithGlobals<SubmitOptions>();
  const context = makeContext(command, options.allowPrivate ? { allowPrivate: true } : {});
  const rules = { unknownDomains: context.config.unknownDomains, allowPrivate: context.config.allowPrivate };
  const defaults = defaultsOf(options);
  const batch = batchOf(options.batch);
  const [only] = urls;
  if (only === undefined && options.file === undefined) {
    throw new UsageError('Nothing to submit: no page was given.', 'name some, or give --file');
  }
  if (options.again === true && options.batch === undefined) {
    throw new UsageError(
      '--again is for pages that a batch has already.',
      'give --batch, or leave --again out',
    );
  }
  if (only !== undefined && urls.length === 1 && options.file === undefined) {
    const order = { ...defaults, url: only, ...batch };
    const task = await withDatabase(context.config, (db) => submitTask(db, order, rules, cliActor()));
    if (context.isJson) context.printJson(task);
    else context.printLine(`Task ${task.id} for ${printable(task.url)} is ${task.status}.`);
    return;
  }
  const input = options.file === undefined ? undefined : await openTaskInput(options.file);
  await submitMany(context, {
    ...{ urls, input, defaults, batch, rules },
    skipKnownOfBatch: options.batch !== undefined && options.again !== true,
    isAllOrNone: options.refuseAll === true,
  });
}

function defaultsOf(options: SubmitOptions): Omit<TaskOrder, 'url'> {
  const { priority, at, maxRetries, every, parent, followDepth, followLimit, executor, wanted } = options;
  return {
    ...{
      priority,
      scheduledAt: at,
      maxRetries,
      parentTaskId: parent,
      followDepth,
      followLimit,
      executor,
      wanted,
    },
    ...(every === undefined ? {} : { isRecurring: true, crawlFrequencyHours: every }),
  };
}

/** A number names a batch that is there; anything else is a name. */
function batchOf(text: string | undefined): BatchChoice {
  if (text === undefined) return {};
  if (/^\d{1,15}$/.test(text)) return { batchId: Number(text) };
  const name = text.trim();
  if (name === '' || name.length > 255 || printable(name) !== name) {
    throw new UsageError('The name of a batch is one line of at most 255 characters.');
  }
  return { batchName: name };
}

async function submitMany(context: CommandContext, many: ManyOrders): Promise<void> {
  const stopper = new AbortController();
  const signals = hearStopSignals(() => stopper.abort());
  const startedMs = monotonicMs();
  try {
    await withDatabase(context.config, async (db) => {
      if (many.batch.batchId !== undefined) await findBatch(db, many.batch.batchId);
      const submission = new OrderSubmission(db, many);
      const progress = startSeedProgress(context, submission.figures, 'submitting');
      signals.whenAsked((signal) => {
        progress.note(`${signal}: storing what was read; once more stops at once`);
        stopper.abort();
      });
      let isWhole = false;
      try {
        await submission.run(progress, stopper.signal);
        isWhole = !stopper.signal.aborted;
      } finally {
        progress.stop();
        submission.tellRest((sentence) => progress.complain(sentence));
        const seconds = (monotonicMs() - startedMs) / 1000;
        if (isWhole || submission.figures.lines > 0) printSummary(context, submission, seconds, !isWhole);
      }
      if (stopper.signal.aborted) throw new QuietExit(EXIT_INTERRUPTED);
      if (submission.figures.refused > 0) throw new QuietExit(EXIT_FAILED);
    });
  } finally {
    signals.unhook();
  }
}
