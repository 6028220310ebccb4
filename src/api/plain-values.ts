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
  return !walk(value, most, Number.POSITIVE_INFINITY, () => false).isWhole;
}

/** The first fault, or undefined. Goes through the value without calling itself, or depth would be a danger here too. */
export function findFault(place: string, value: unknown, most = MOST_VALUES): Fault | undefined {
  let message = '';
  const { isWhole, path } = walk(value, most, DEEPEST, (part, isTooDeep) => {
    if (isTooDeep) message = `Nested more than ${DEEPEST} deep`;
    else if (typeof part === 'string' && NO_TEXT.test(part)) message = NO_TEXT_HERE;
    else if (isObject(part) && Object.keys(part).some((name) => NO_TEXT.test(name))) message = NO_NAME;
    return message !== '';
  });
  if (isWhole) return undefined;
  if (message === '') return { path: place, message: `More than ${most} values` };
  return {
    path: [place, ...path]
      .filter((name) => name !== '')
      .join('.')
      .slice(0, 200),
    message,
  };
}

const NO_TEXT_HERE = 'NUL and halves of characters have no place in a text';
const NO_NAME = 'NUL and halves of characters have no place in a name';

/** A list or an object that is being gone through. */
interface Level {
  readonly part: object;
  /** Undefined: it is a list. */
  readonly names: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

/**
 * Everything in a value, until `isEnough` says so or there is too much: what is inside is counted before it is looked
 * at, and nothing is noted but the way to where we are.
 */
function walk(
  value: unknown,
  most: number,
  deepest: number,
  isEnough: (part: unknown, isTooDeep: boolean) => boolean,
): { readonly isWhole: boolean; readonly path: readonly string[] } {
  const way: Level[] = [];
  const ended = () => ({ isWhole: false, path: way.map(nameOf) });
  let seen = 1;
  let part = value;
  for (;;) {
    const level = openLevel(part);
    if (level !== undefined && seen + level.size > most) return ended();
    if (isEnough(part, level !== undefined && way.length >= deepest)) return ended();
    if (level !== undefined) {
      seen += level.size;
      way.push(level);
    }
    let last = way.at(-1);
    while (last !== undefined && last.next === last.size) {
      way.pop();
      last = way.at(-1);
    }
    if (last === undefined) return { isWhole: true, path: [] };
    part = Reflect.get(last.part, last.names === undefined ? last.next : (last.names[last.next] ?? ''));
    last.next += 1;
  }
}

function openLevel(part: unknown): Level | undefined {
  if (Array.isArray(part)) return { part, names: undefined, size: part.length, next: 0 };
  if (!isObject(part)) return undefined;
  const names = Object.keys(part);
  return { part, names, size: names.length, next: 0 };
}

function nameOf({ names, next }: Level): string {
  return names === undefined ? String(next - 1) : (names[next - 1] ?? '');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
