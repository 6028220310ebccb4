/** Orders named on the command line or in a file of any size, stored a thousand at a time, or all or none. */
import { endSentence } from '../api/settle-issues.ts';
import { MOST_TASKS } from '../contract/tasks.ts';
import type { BatchChoice } from '../control/batches/task-batch.ts';
import { isPassedOver } from '../control/tasks/batch-pages.ts';
import { PORTION_TASKS, type SubmitRules, submitTasks } from '../control/tasks/submit-tasks.ts';
import type { TaskOrder } from '../control/tasks/task-order.ts';
import type { Database } from '../platform/database.ts';
import { cliActor } from './cli-actor.ts';
import { UsageError } from './exit.ts';
import { formatCount, printable } from './format.ts';
import type { SeedProgress } from './seed-progress.ts';
import type { TaskInput } from './task-input.ts';
import type { OrderLine } from './task-lines.ts';

const MOST_TOLD = 20;
/** The numbers of so many tasks are told, one by one. */
export const MOST_NAMED = 1000;

export interface ManyOrders {
  readonly urls: readonly string[];
  readonly input: TaskInput | undefined;
  readonly defaults: Omit<TaskOrder, 'url'>;
  readonly batch: BatchChoice;
  readonly rules: SubmitRules;
  /** Pages that the batch has already are passed over. */
  readonly skipKnownOfBatch: boolean;
  /** Everything is read, and then taken or refused as a whole. */
  readonly isAllOrNone: boolean;
}

export interface MadeTask {
  readonly id: number | null;
  readonly url: string;
}

/** With where it stands: a file, or the command line. */
type PlacedLine = OrderLine & { readonly place: string };

function nameLines(lines: readonly (number | undefined)[]): string {
  return `${lines.length === 1 ? 'line' : 'the lines'} ${lines.join(', ')}`;
}

function expectFew({ length }: readonly unknown[]): void {
  if (length <= MOST_TASKS) return;
  throw new UsageError(
    `--refuse-all takes at most ${formatCount(MOST_TASKS)} lines: all of them are stored in one transaction.`,
    'leave it out, or cut the file into parts',
  );
}

export class OrderSubmission {
  readonly figures = {
    ...{ lines: 0, accepted: 0, duplicates: 0, alreadyInBatch: 0, refused: 0, newDomains: 0 },
  };
  /** By line, as long as there are not too many; null: it was not taken. */
  readonly made: MadeTask[] = [];
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

  get hasFile(): boolean {
    return this.#many.input !== undefined;
  }

  get batchId(): number | undefined {
    return this.#batch.batchId;
  }

  async run(progress: SeedProgress, signal: AbortSignal): Promise<void> {
    const { urls, input, isAllOrNone } = this.#many;
    const named = urls.map((url, index): PlacedLine => {
      return { kind: 'order', line: index + 1, order: { url }, place: 'argument' };
    });
    if (named.length > 0 && !isAllOrNone) await this.#store(named, progress);
    if (input !== undefined) progress.begin(input);
    let waiting: PlacedLine[] = isAllOrNone ? named : [];
    for await (const lines of input?.lines(signal) ?? []) {
      for (const line of lines) waiting.push({ ...line, place: input?.name ?? '' });
      if (isAllOrNone) {
        expectFew(waiting);
        continue;
      }
      while (waiting.length >= PORTION_TASKS && !signal.aborted) {
        await this.#store(waiting.slice(0, PORTION_TASKS), progress);
        waiting = waiting.slice(PORTION_TASKS);
      }
    }
    // All or none: a part of it, because somebody stopped it, is none.
    if (waiting.length > 0 && !(isAllOrNone && signal.aborted)) await this.#store(waiting, progress);
  }

  async #store(lines: readonly PlacedLine[], progress: SeedProgress): Promise<void> {
    const refuse = ({ place, line }: Pick<PlacedLine, 'place' | 'line'>, reason: string): void => {
      this.figures.refused += 1;
      this.#told += 1;
      if (this.#told <= MOST_TOLD) progress.complain(endSentence(`${place}:${line}: ${printable(reason)}`));
    };
    this.figures.lines += lines.length;
    const near = new Set(lines.flatMap((one) => (one.kind === 'order' ? (one.order.ref ?? []) : [])));
    const first = this.made.length;
    if (this.figures.lines <= MOST_NAMED) this.made.push(...lines.map(() => ({ id: null, url: '' })));
    const orders = lines.flatMap((one, at) => {
      if (one.kind === 'order') return [{ ...one, at, order: this.#complete(one.order, near) }];
      refuse(one, one.reason);
      return [];
    });
    const { rules, skipKnownOfBatch, isAllOrNone } = this.#many;
    if (orders.length === 0 || (isAllOrNone && orders.length < lines.length)) return;
    const tasks = orders.map(({ order }) => order);
    const words = {
      name: (indexes: readonly number[]): string => nameLines(indexes.map((index) => orders[index]?.line)),
      noSuchRef: 'no line before it, or near it, has the ref it waits for',
    };
    const onError = isAllOrNone ? ('refuse-all' as const) : ('skip' as const);
    const submission = { ...this.#batch, tasks, onError, skipKnownOfBatch, words };
    const { ids, problems, accepted, newDomains, batchId } = await submitTasks(
      this.#db,
      submission,
      rules,
      cliActor(),
    );
    if (batchId !== null) this.#batch = { batchId };
    this.figures.accepted += accepted;
    this.figures.newDomains += newDomains;
    for (const [index, { at, order }] of orders.entries()) {
      const id = ids[index] ?? null;
      if (order.ref !== undefined && id !== null) this.#byRef.set(order.ref, id);
      if (first + at < this.made.length) this.made[first + at] = { id, url: order.url };
    }
    for (const { index, code, reason, url, taskId } of problems) {
      const one = orders[index];
      if (one?.order.ref !== undefined && taskId !== null) this.#byRef.set(one.order.ref, taskId);
      if (isPassedOver({ code })) this.figures.alreadyInBatch += 1;
      else if (code === 'duplicate-task' && !isAllOrNone) this.figures.duplicates += 1;
      else refuse(one ?? { place: '', line: 0 }, `${url}: ${reason}`);
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
