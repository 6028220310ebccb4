/** One order among many, as somebody wrote it: held to the contract by itself. */
import { setImmediate as letOthersIn } from 'node:timers/promises';
import { bulkTask } from '../contract/task-shapes.ts';
import type { TaskOrder } from '../control/tasks/task-order.ts';
import { explainIssue } from './explain-issue.ts';
import { FaultyItem, urlOf } from './items-apart.ts';
import { describeIssues } from './settle-issues.ts';

export type TaskItem =
  | { readonly kind: 'order'; readonly order: TaskOrder }
  | { readonly kind: 'bad'; readonly reason: string };

const LONGEST_REASON = 300;

/** An object, its fields named as in the contract, or a URL. */
export function readTaskItem(item: unknown): TaskItem {
  if (item instanceof FaultyItem) return { kind: 'bad', reason: item.message };
  if (typeof item !== 'string' && (typeof item !== 'object' || item === null || Array.isArray(item))) {
    return { kind: 'bad', reason: 'a task is an object or a URL' };
  }
  const given = typeof item === 'string' ? { url: item } : item;
  const parsed = bulkTask.safeParse(given, { error: (issue) => explainIssue(issue, false) });
  if (parsed.success) return { kind: 'order', order: parsed.data };
  return { kind: 'bad', reason: describeIssues(parsed.error.issues).slice(0, LONGEST_REASON) };
}

/** Read at a stretch: a few milliseconds. */
const STRETCH_ITEMS = 100;

/** In their order; a bad one is an order that says what is wrong with it. Only of so many is it found out exactly. */
export async function readTaskItems(items: readonly unknown[], mostTold: number): Promise<TaskOrder[]> {
  const orders: TaskOrder[] = [];
  let told = 0;
  for (const [index, item] of items.entries()) {
    if (index % STRETCH_ITEMS === STRETCH_ITEMS - 1) await letOthersIn();
    const reading: TaskItem =
      told < mostTold || bulkTask.safeParse(typeof item === 'string' ? { url: item } : item).success
        ? readTaskItem(item)
        : { kind: 'bad', reason: 'it does not have the form of a task' };
    if (reading.kind === 'order') {
      orders.push(reading.order);
      continue;
    }
    told += 1;
    orders.push({
      ...namesOf(item),
      url: shownUrl(item),
      fault: { code: 'invalid', reason: reading.reason },
    });
  }
  return orders;
}

function shownUrl(item: unknown): string {
  return item instanceof FaultyItem ? item.url : urlOf(item);
}

/** Those that wait for it are refused with it, which is another thing than waiting for nobody. */
function namesOf(item: unknown): Pick<TaskOrder, 'ref'> {
  if (typeof item !== 'object' || item === null || !('ref' in item)) return {};
  return typeof item.ref === 'string' ? { ref: item.ref.slice(0, 200) } : {};
}
