/**
 * Orders that wait for others of the same call: whose parent is which, in an order in which parents come first. One
 * that would wait for itself, or for one that does, is told by its index.
 */
export interface NamedOrder {
  readonly ref?: string | undefined;
  readonly parentRef?: string | undefined;
}

/** What the orders of a call are called: items of a request, lines of a file. */
export interface OrderWords {
  /** `item 3`, `items 3, 5`. */
  name(indexes: readonly number[]): string;
  /** Whom nobody answers to that is waited for. */
  readonly noSuchRef: string;
}

export const ITEM_WORDS: OrderWords = {
  name: (indexes) => `${indexes.length === 1 ? 'item' : 'the items'} ${indexes.join(', ')}`,
  noSuchRef: 'no item of this call has the ref it waits for',
};

export interface ParentProblem {
  readonly code: 'parent-cycle' | 'unknown-parent' | 'parent-refused' | 'duplicate-ref';
  readonly reason: string;
}

export interface Arrangement {
  /** By index: the index of its parent. */
  readonly parents: ReadonlyMap<number, number>;
  /** Every index, parents before their children, otherwise as given. */
  readonly inOrder: readonly number[];
  readonly problems: ReadonlyMap<number, ParentProblem>;
}

export function arrangeByParents(orders: readonly NamedOrder[], words = ITEM_WORDS): Arrangement {
  const problems = new Map<number, ParentProblem>();
  const byRef = new Map<string, number>();
  for (const [index, { ref }] of orders.entries()) {
    if (ref === undefined) continue;
    const first = byRef.get(ref);
    if (first === undefined) byRef.set(ref, index);
    else problems.set(index, { code: 'duplicate-ref', reason: `${words.name([first])} has the same ref` });
  }
  const parents = new Map<number, number>();
  for (const [index, { parentRef }] of orders.entries()) {
    if (parentRef === undefined) continue;
    const parent = byRef.get(parentRef);
    if (parent !== undefined) parents.set(index, parent);
    else problems.set(index, { code: 'unknown-parent', reason: words.noSuchRef });
  }
  const levels = measureLevels(orders.length, parents, problems, words);
  const inOrder = [...levels.keys()].sort((a, b) => (levels[a] ?? 0) - (levels[b] ?? 0) || a - b);
  return { parents, inOrder, problems };
}

/** How many parents each has above it. Whoever meets itself on the way up is in a circle. */
function measureLevels(
  count: number,
  parents: ReadonlyMap<number, number>,
  problems: Map<number, ParentProblem>,
  words: OrderWords,
): number[] {
  const levels: (number | undefined)[] = Array.from({ length: count });
  for (let start = 0; start < count; start += 1) {
    const way: number[] = [];
    const place = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && levels[at] === undefined && !place.has(at)) {
      place.set(at, way.length);
      way.push(at);
      at = parents.get(at);
    }
    const circleFrom = at === undefined ? undefined : place.get(at);
    if (circleFrom !== undefined) {
      const circle = way.splice(circleFrom);
      for (const index of circle) {
        levels[index] = 0;
        problems.set(index, { code: 'parent-cycle', reason: describeCircle(circle, words) });
      }
    }
    // From the top down: each is one below its parent.
    for (const index of way.reverse()) {
      const parent = parents.get(index);
      levels[index] = parent === undefined ? 0 : (levels[parent] ?? 0) + 1;
    }
  }
  return levels.map((level) => level ?? 0);
}

const MOST_NAMED = 10;

function describeCircle(circle: readonly number[], words: OrderWords): string {
  if (circle.length === 1) return 'it waits for itself';
  const named = circle.slice(0, MOST_NAMED).toSorted((a, b) => a - b);
  const more = circle.length > MOST_NAMED ? ' …' : '';
  return `it waits for itself, by way of ${words.name(named)}${more}`;
}
