/** An order for a task as somebody gives it, read; and what is wrong with one. */
import { setImmediate as letOthersIn } from 'node:timers/promises';
import type { Wanted } from '../../contract/task-shapes.ts';
import type { PrivateRule } from '../../engine/seeds/read-seed-list.ts';
import { arrangeByParents, type NamedOrder, type OrderWords } from './order-parents.ts';
import { findScheduleProblem } from './schedule.ts';
import { type NamedPage, readPage, showUrl } from './task-domains.ts';

export interface TaskOrder extends NamedOrder {
  readonly url: string;
  readonly priority?: number | undefined;
  readonly scheduledAt?: Date | undefined;
  readonly maxRetries?: number | undefined;
  readonly isRecurring?: boolean | undefined;
  readonly crawlFrequencyHours?: number | undefined;
  readonly parentTaskId?: number | undefined;
  readonly followDepth?: number | undefined;
  readonly followLimit?: number | undefined;
  readonly executor?: 'forager' | 'bot' | undefined;
  /** Of a bot. */
  readonly wanted?: Wanted | undefined;
  /** It does not have the form of an order: why, for whoever reads the report. */
  readonly fault?: OrderFault | undefined;
}

export interface OrderFault {
  readonly code: string;
  readonly reason: string;
}

export interface ReadOrder {
  readonly index: number;
  readonly order: TaskOrder;
  readonly page: NamedPage;
  /** The index of the order of the same call that it waits for. */
  readonly parentIndex: number | undefined;
}

export interface OrderProblem {
  readonly index: number;
  readonly url: string;
  readonly code: string;
  readonly reason: string;
  /** Of a duplicate: the live task, as far as it is known. */
  readonly taskId: number | null;
}

export function refuseOrder(
  { index, order }: Pick<ReadOrder, 'index' | 'order'>,
  code: string,
  reason: string,
  taskId: number | null = null,
): OrderProblem {
  return { index, url: showUrl(order.url), code, reason: reason.slice(0, 300), taskId };
}

/** Read at a stretch: a few milliseconds. */
const STRETCH_CHARS = 50_000;
const CHARS_FOR_EACH = 250;

export interface ReadRules {
  readonly allowPrivate: PrivateRule;
  readonly now: Date;
  readonly words?: OrderWords | undefined;
}

/** Parents before their children. */
export async function readOrders(
  orders: readonly TaskOrder[],
  { allowPrivate, now, words }: ReadRules,
): Promise<{ read: ReadOrder[]; problems: OrderProblem[] }> {
  const { inOrder, parents, problems: faults } = arrangeByParents(orders, words);
  const read: ReadOrder[] = [];
  const problems: OrderProblem[] = [];
  let stretch = 0;
  for (const index of inOrder) {
    const order = orders[index];
    if (order === undefined) continue;
    stretch += CHARS_FOR_EACH + order.url.length;
    if (stretch > STRETCH_CHARS) {
      stretch = 0;
      await letOthersIn();
    }
    if (order.fault !== undefined) {
      problems.push(refuseOrder({ index, order }, order.fault.code, order.fault.reason));
      continue;
    }
    const reading = readPage(order.url, allowPrivate);
    const fault =
      reading.kind === 'bad'
        ? { code: 'bad-url', reason: reading.reason }
        : (faults.get(index) ?? findScheduleProblem(order.scheduledAt, now));
    if (fault !== undefined) problems.push(refuseOrder({ index, order }, fault.code, fault.reason));
    else if (reading.kind === 'ok')
      read.push({ index, order, page: reading.page, parentIndex: parents.get(index) });
  }
  return { read, problems };
}
