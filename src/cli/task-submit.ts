/** `forager task submit`: one page, some, or a file of any size, a thousand at a time. */
import type { Command } from 'commander';
import { endSentence } from '../api/settle-issues.ts';
import { findBatch } from '../control/batches/read-batches.ts';
import type { BatchChoice } from '../control/batches/task-batch.ts';
import { PORTION_TASKS, type SubmitRules, submitTask, submitTasks } from '../control/tasks/submit-tasks.ts';
import type { TaskOrder } from '../control/tasks/task-order.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';
import { formatCount, formatDuration, formatRate, pad, printable } from './format.ts';
import { type SeedProgress, startSeedProgress } from './seed-progress.ts';
import { hearStopSignals } from './stop-signals.ts';
import { openTaskInput, type TaskInput } from './task-input.ts';
import type { OrderLine } from './task-lines.ts';

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
  readonly allowPrivate?: true;
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
  if (only !== undefined && urls.length === 1 && options.file === undefined) {
    const order = { ...defaults, url: only, ...batch };
    const task = await withDatabase(context.config, (db) => submitTask(db, order, rules, cliActor()));
    if (context.isJson) context.printJson(task);
    else context.printLine(`Task ${task.id} for ${printable(task.url)} is ${task.status}.`);
    return;
  }
  const input = options.file === undefined ? undefined : await openTaskInput(options.file);
  await submitMany(context, { urls, input, defaults, batch, rules });
}

function defaultsOf(options: SubmitOptions): Omit<TaskOrder, 'url'> {
  const { priority, at, maxRetries, every, parent, followDepth, followLimit, executor } = options;
  return {
    ...{ priority, scheduledAt: at, maxRetries, parentTaskId: parent, followDepth, followLimit, executor },
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

interface ManyOrders {
  readonly urls: readonly string[];
  readonly input: TaskInput | undefined;
  readonly defaults: Omit<TaskOrder, 'url'>;
  readonly batch: BatchChoice;
  readonly rules: SubmitRules;
}

async function submitMany(context: CommandContext, many: ManyOrders): Promise<void> {
  const stopper = new AbortController();
  const signals = hearStopSignals(() => stopper.abort());
  const startedMs = monotonicMs();
  try {
    await withDatabase(context.config, async (db) => {
      if (many.batch.batchId !== undefined) await findBatch(db, many.batch.batchId);
      const submission = new FileSubmission(db, many);
      const progress = startSeedProgress(context, submission.figures, 'submitting');
      signals.whenAsked((signal) => {
        progress.note(`${signal}: storing what was read; once more stops at once`);
        stopper.abort();
      });
      try {
        await submission.run(progress, stopper.signal);
      } finally {
        progress.stop();
        submission.tellRest((sentence) => progress.complain(sentence));
        printSummary(context, submission, (monotonicMs() - startedMs) / 1000, stopper.signal.aborted);
      }
      if (stopper.signal.aborted) throw new QuietExit(EXIT_INTERRUPTED);
      if (submission.figures.refused > 0) throw new QuietExit(EXIT_FAILED);
    });
  } finally {
    signals.unhook();
  }
}

const MOST_TOLD = 20;

function nameLines(lines: readonly (number | undefined)[]): string {
  return `${lines.length === 1 ? 'line' : 'the lines'} ${lines.join(', ')}`;
}

class FileSubmission {
  readonly figures = { lines: 0, accepted: 0, duplicates: 0, refused: 0, newDomains: 0 };
  readonly #db: Database;
  readonly #many: ManyOrders;
  /** Of earlier portions, for those that name them as their parents. */
  readonly #byRef = new Map<string, number>();
  #batch: BatchChoice;
  #told = 0;

  constructor(db: Database, many: ManyOrders) {
    this.#db = db;
    this.#many = many;
    this.#batch = many.batch;
  }

  get batchId(): number | undefined {
    return this.#batch.batchId;
  }

  async run(progress: SeedProgress, signal: AbortSignal): Promise<void> {
    const { urls, input } = this.#many;
    const named = urls.map((url, index): OrderLine => ({ kind: 'order', line: index + 1, order: { url } }));
    if (named.length > 0) await this.#store(named, 'argument', progress);
    if (input === undefined) return;
    progress.begin(input);
    let waiting: OrderLine[] = [];
    for await (const lines of input.lines(signal)) {
      waiting.push(...lines);
      while (waiting.length >= PORTION_TASKS && !signal.aborted) {
        await this.#store(waiting.slice(0, PORTION_TASKS), input.name, progress);
        waiting = waiting.slice(PORTION_TASKS);
      }
    }
    if (waiting.length > 0) await this.#store(waiting, input.name, progress);
  }

  async #store(lines: readonly OrderLine[], place: string, progress: SeedProgress): Promise<void> {
    const refuse = (line: number, reason: string): void => {
      this.figures.refused += 1;
      this.#told += 1;
      if (this.#told <= MOST_TOLD) progress.complain(endSentence(`${place}:${line}: ${printable(reason)}`));
    };
    this.figures.lines += lines.length;
    const near = new Set(lines.flatMap((one) => (one.kind === 'order' ? (one.order.ref ?? []) : [])));
    const orders = lines.flatMap((one) => {
      if (one.kind === 'order') return [{ line: one.line, order: this.#complete(one.order, near) }];
      refuse(one.line, one.reason);
      return [];
    });
    if (orders.length === 0) return;
    const tasks = orders.map(({ order }) => order);
    const words = {
      name: (indexes: readonly number[]): string => nameLines(indexes.map((index) => orders[index]?.line)),
      noSuchRef: 'no line before it, or near it, has the ref it waits for',
    };
    const submission = { ...this.#batch, tasks, onError: 'skip' as const, words };
    const { ids, problems, accepted, newDomains, batchId } = await submitTasks(
      this.#db,
      submission,
      this.#many.rules,
      cliActor(),
    );
    if (batchId !== null) this.#batch = { batchId };
    this.figures.accepted += accepted;
    this.figures.newDomains += newDomains;
    for (const [index, { order }] of orders.entries()) {
      const id = ids[index];
      if (order.ref !== undefined && id !== undefined && id !== null) this.#byRef.set(order.ref, id);
    }
    for (const { index, code, reason, url, taskId } of problems) {
      const { line = 0, order } = orders[index] ?? {};
      if (order?.ref !== undefined && taskId !== null) this.#byRef.set(order.ref, taskId);
      if (code === 'duplicate-task') this.figures.duplicates += 1;
      else refuse(line, `${url}: ${reason}`);
    }
  }

  /** What the line leaves open is as the command says; a parent may be in a portion that is stored already. */
  #complete(order: TaskOrder, near: ReadonlySet<string>): TaskOrder {
    const { defaults } = this.#many;
    const { parentRef } = order;
    const earlier = parentRef === undefined || near.has(parentRef) ? undefined : this.#byRef.get(parentRef);
    const parent = earlier === undefined ? { parentRef } : { parentRef: undefined, parentTaskId: earlier };
    const given = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));
    const fallback = parentRef === undefined ? defaults : { ...defaults, parentTaskId: undefined };
    return { ...fallback, ...given, url: order.url, ...(parentRef === undefined ? {} : parent) };
  }

  tellRest(say: (sentence: string) => void): void {
    const rest = this.#told - MOST_TOLD;
    if (rest > 0) say(`${formatCount(rest)} more ${rest === 1 ? 'line was' : 'lines were'} refused.`);
  }
}

function printSummary(
  context: CommandContext,
  { figures, batchId }: FileSubmission,
  seconds: number,
  isStopped: boolean,
): void {
  if (context.isJson) {
    context.printJson({
      ...figures,
      batchId: batchId ?? null,
      seconds: Math.round(seconds * 1000) / 1000,
      isStopped,
    });
    return;
  }
  const { style } = context.out;
  const head = isStopped ? style.yellow('Stopped.') : style.green('Done.');
  const pace = formatRate(figures.lines / Math.max(seconds, 0.001));
  const what = `${formatCount(figures.lines)} ${figures.lines === 1 ? 'order' : 'orders'}`;
  context.printLine(`${head} ${what} in ${formatDuration(seconds * 1000)} (${pace} a second)`);
  const rows: [string, number][] = [
    ['new tasks', figures.accepted],
    ['have a live task', figures.duplicates],
    ['refused', figures.refused],
    ['new domains', figures.newDomains],
  ];
  const width = Math.max(...rows.map(([, count]) => formatCount(count).length));
  for (const [name, count] of rows) {
    context.printLine(`  ${pad(name, 16, 'left')}  ${pad(formatCount(count), width, 'right')}`);
  }
  if (batchId !== undefined)
    context.printLine(
      `They are in batch ${batchId}: "${context.suggest(`batch show ${batchId}`)}" tells how far it is.`,
    );
}
