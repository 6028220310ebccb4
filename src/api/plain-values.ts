/**
 * What no request may carry, wherever it may be in it: text that the database cannot store (NUL) or that is no text
 * (half of a surrogate pair), nesting so deep that whoever follows it runs out of stack, and so many values that telling
 * what is wrong with each would take longer than sending them.
 */
const DEEPEST = 32;
export const MOST_VALUES = 100_000;
// With the flag u this is only a half that has lost the other.
const NO_TEXT = /\0|\p{Surrogate}/u;

export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** As something that can be stored and shown. */
export function replaceNoText(text: string): string {
  return text.replaceAll(new RegExp(NO_TEXT, 'gu'), '\ufffd');
}

/** However they are nested. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  for (let part = open.pop(); seen <= most && part !== undefined; part = open.pop()) {
    seen += 1;
    if (typeof part !== 'object' || part === null) continue;
    for (const inner of Object.values(part)) open.push(inner ?? null);
  }
  return seen > most;
}

/** The first fault, or undefined. Goes through the value without calling itself, or depth would be a danger here too. */
export function findFault(place: string, value: unknown, most = MOST_VALUES): Fault | undefined {
  const open: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: place, value, depth: 0 },
  ];
  let seen = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { path, value: part, depth } = item;
    seen += 1;
    if (seen > most) return { path: place, message: `More than ${most} values` };
    if (typeof part === 'string' && NO_TEXT.test(part)) {
      return { path, message: 'NUL and halves of characters have no place in a text' };
    }
    if (typeof part !== 'object' || part === null) continue;
    if (depth === DEEPEST) return { path, message: `Nested more than ${DEEPEST} deep` };
    for (const [name, inner] of Object.entries(part)) {
      if (NO_TEXT.test(name))
        return { path, message: 'NUL and halves of characters have no place in a name' };
      const at = path.length < 200 ? `${path === '' ? '' : `${path}.`}${name}`.slice(0, 200) : path;
      open.push({ path: at, value: inner, depth: depth + 1 });
    }
  }
  return undefined;
}
