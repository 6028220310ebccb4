/**
 * How long a pattern may take on the worst URL somebody could think of. Workers hold it against every link, and
 * JavaScript's matcher tries one way after another: a pattern that can match the same text in very many ways stops a
 * worker for good. A bound is reckoned, never too low: the length of the URL to some power, times a constant.
 *
 *  - Repeating something that itself repeats, is optional, or has alternatives beginning alike has no bound.
 *  - A repetition whose next character cannot be one of its own ends in one place only (`[^/]+/`): it costs nothing
 *    more than reading, unless it can also begin anywhere.
 *  - Any other one ends in as many places as the URL is long, and so does the beginning of a pattern without `^`.
 */
import { ANYTHING, type CharSet, NOTHING, overlap } from './char-set.ts';
import { type Node, PatternProblem } from './parse-pattern.ts';

/** 8,192 characters squared is a moment; cubed it is an hour. */
const HIGHEST_POWER = 2;
const MOST_WAYS = 1000;
/** From here on a repetition with an end is as good as one without. */
const MANY = 50;

/** Places for characters, every counted repetition written out: more does not compile. */
const LARGEST = 5000;

interface Weight {
  /** The power of the length of the URL. */
  power: number;
  /** The constant: ways that do not depend on the length. */
  ways: number;
}

/** Throws a PatternProblem. */
export function weighPattern(root: Node): void {
  if (sizeOf(root) > LARGEST) throw new PatternProblem('written out, its repetitions would be too long');
  const weight: Weight = { power: 0, ways: 1 };
  weigh(root, { before: ANYTHING, after: NOTHING, isLast: true }, weight);
  const power = weight.power + (weight.power > 0 && !beginsAtStart(root) ? 1 : 0);
  if (power > HIGHEST_POWER) {
    throw new PatternProblem(
      'too many of its parts (".*" and the like) can end in many places; begin it with "^https://", and write "[^/]*" where a part may not contain a slash',
    );
  }
  if (weight.ways > MOST_WAYS)
    throw new PatternProblem('too many of its parts are optional or alternatives of each other');
}

/** What stands around a node: the last character before it, the first after it, whether anything must still match. */
interface Place {
  readonly before: CharSet;
  readonly after: CharSet;
  /** Nothing follows that could fail: whatever it takes is right. */
  readonly isLast: boolean;
}

function weigh(node: Node, place: Place, weight: Weight): void {
  switch (node.kind) {
    case 'chars':
    case 'edge':
      return;
    case 'choice':
      weighChoice(node.options, place, weight);
      return;
    case 'sequence':
      weighSequence(node.items, place, weight);
      return;
    case 'repeat':
      weighRepeat(node, place, weight);
  }
}

function weighChoice(options: readonly Node[], place: Place, weight: Weight): void {
  if (beginAlike(options)) weight.ways *= options.length;
  const powers = options.map((option) => {
    const own: Weight = { power: 0, ways: 1 };
    weigh(option, place, own);
    weight.ways *= own.ways;
    return own.power;
  });
  weight.power += Math.max(0, ...powers);
}

function weighSequence(items: readonly Node[], place: Place, weight: Weight): void {
  for (const [index, item] of items.entries()) {
    const rest = items.slice(index + 1);
    const { set, isEmpty } = firstOf({ kind: 'sequence', items: rest });
    const after = isEmpty ? set | place.after : set;
    // An end of the line that must come is something that can fail.
    const isLast = place.isLast && rest.length === 0;
    const before = lastOf(items.slice(0, index), place.before);
    weigh(item, { before, after: isLast ? NOTHING : after, isLast }, weight);
  }
}

function weighRepeat(node: Extract<Node, { kind: 'repeat' }>, place: Place, weight: Weight): void {
  const { body, least, most, text } = node;
  if (most === 0) return;
  if (most === 1) {
    // Optional: there, or not.
    const { set } = firstOf(body);
    if (least === 0 && overlap(set, place.after)) weight.ways *= 2;
    weigh(body, place, weight);
    return;
  }
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  if (isVaried(body)) {
    throw new PatternProblem(
      `"${shown}" repeats something that itself repeats, is optional or has alternatives that begin alike`,
    );
  }
  // A body whose end may be its beginning is one whose repetitions cannot be told apart by what follows alone.
  const set = charsOf(body);
  if (least === most || place.isLast) return;
  const endsAnywhere = overlap(set, place.after);
  const beginsAnywhere = overlap(set, place.before);
  if (!endsAnywhere && !beginsAnywhere) return;
  if (most > MANY) weight.power += 1;
  else weight.ways *= most - least + 1;
}

/** Whether one text can be matched in more than one way, or in ways of different length. */
function isVaried(node: Node): boolean {
  switch (node.kind) {
    case 'chars':
    case 'edge':
      return false;
    case 'repeat':
      return node.least !== node.most || isVaried(node.body);
    case 'sequence':
      return node.items.some(isVaried);
    case 'choice':
      return beginAlike(node.options) || node.options.some(isVaried);
  }
}

function beginAlike(options: readonly Node[]): boolean {
  let seen = NOTHING;
  for (const option of options) {
    const { set, isEmpty } = firstOf(option);
    if (isEmpty || overlap(seen, set)) return true;
    seen |= set;
  }
  return false;
}

/** The characters it may begin with, and whether it may match nothing at all. */
function firstOf(node: Node): { set: CharSet; isEmpty: boolean } {
  switch (node.kind) {
    case 'chars':
      return { set: node.set, isEmpty: false };
    case 'edge':
      return { set: NOTHING, isEmpty: true };
    case 'repeat': {
      const { set, isEmpty } = firstOf(node.body);
      return { set, isEmpty: isEmpty || node.least === 0 };
    }
    case 'choice': {
      const all = node.options.map(firstOf);
      return {
        set: all.reduce((sum, { set }) => sum | set, NOTHING),
        isEmpty: all.some(({ isEmpty }) => isEmpty),
      };
    }
    case 'sequence': {
      let sum = NOTHING;
      for (const item of node.items) {
        const { set, isEmpty } = firstOf(item);
        sum |= set;
        if (!isEmpty) return { set: sum, isEmpty: false };
      }
      return { set: sum, isEmpty: true };
    }
  }
}

/** What the character before may be: of one plain character that must be there; otherwise anything. */
function lastOf(items: readonly Node[], before: CharSet): CharSet {
  const last = items.at(-1);
  if (last === undefined) return before;
  if (last.kind === 'edge') return lastOf(items.slice(0, -1), before);
  if (last.kind === 'chars') return last.set;
  return ANYTHING;
}

function charsOf(node: Node): CharSet {
  switch (node.kind) {
    case 'chars':
      return node.set;
    case 'edge':
      return NOTHING;
    case 'repeat':
      return charsOf(node.body);
    case 'choice':
      return node.options.reduce((sum, option) => sum | charsOf(option), NOTHING);
    case 'sequence':
      return node.items.reduce((sum, item) => sum | charsOf(item), NOTHING);
  }
}

function beginsAtStart(node: Node): boolean {
  switch (node.kind) {
    case 'edge':
      return node.isStart;
    case 'choice':
      return node.options.every(beginsAtStart);
    case 'sequence': {
      const [first] = node.items;
      return first !== undefined && beginsAtStart(first);
    }
    case 'chars':
    case 'repeat':
      return false;
  }
}

function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'chars':
    case 'edge':
      return 1;
    case 'repeat':
      return sizeOf(node.body) * Math.max(1, node.least, Number.isFinite(node.most) ? node.most : 0);
    case 'choice':
      return node.options.reduce((sum, option) => sum + sizeOf(option), 0);
    case 'sequence':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 0);
  }
}
