/**
 * How long a pattern may take on the worst URL somebody could think of. Workers hold it against every link, and
 * JavaScript's matcher tries one way after another: a pattern that can match the same text in very many ways stops a
 * worker for good. A bound on its steps is reckoned, never too low: from left to right, in how many ways the matcher
 * can come to each part, and what that part costs each time.
 *
 *  - Repeating something that itself repeats, is optional, or has alternatives beginning alike has no bound.
 *  - A repetition whose next character cannot be one of its own ends in one place only (`[^/]+/`).
 *  - Any other one ends in as many places as the URL is long, and a pattern without `^` begins in as many.
 *  - Of all these places few can go far into plain text (`/shop/`): where one begins it, the next cannot begin inside.
 */
import { LONGEST_MATCHED } from '../../../engine/frontier/domain-scope.ts';
import { ANYTHING, type CharSet, NOTHING, overlap } from './char-set.ts';
import { type Node, PatternProblem } from './parse-pattern.ts';

/** Some hundredths of a second. */
const MOST_STEPS = 15_000_000;
const MOST_CHOICES = 1000;
/** From here on a repetition with an end is as good as one without. */
const MANY = 50;
/** More places than these two cannot be had: the length of a URL to the third is hours. */
const MOST_OPEN_ENDS = 2;

/** Places for characters, every counted repetition written out: more does not compile. */
const LARGEST = 5000;

/** In how many ways the matcher can come to where it is. */
interface Arrivals {
  /** How it came here, apart from where it began last. */
  readonly ways: number;
  /** For each way: at so many different places of the URL, */
  readonly places: number;
  /** which lie within so many characters, on average over all ways. */
  readonly span: number;
}

interface Reckoning {
  steps: number;
  /** Choices that do not depend on the URL's length, multiplied. */
  choices: number;
  openEnds: number;
  /** Of what is left of the URL, on average over all beginnings. */
  readonly length: number;
}

/** The most steps it can take. Throws a PatternProblem where they are too many. */
export function weighPattern(root: Node): number {
  if (sizeOf(root) > LARGEST) throw new PatternProblem('written out, its repetitions would be too long');
  const isAnchored = beginsAtStart(root);
  const reckoning: Reckoning = {
    ...{ steps: 0, choices: 1, openEnds: isAnchored ? 0 : 1 },
    length: isAnchored ? LONGEST_MATCHED : LONGEST_MATCHED / 2,
  };
  const start = { ways: 1, places: isAnchored ? 1 : LONGEST_MATCHED, span: LONGEST_MATCHED };
  weigh(root, { before: ANYTHING, after: NOTHING, isLast: true }, start, reckoning);
  const { steps, choices, openEnds } = reckoning;
  if (steps > MOST_STEPS && openEnds > MOST_OPEN_ENDS) {
    throw new PatternProblem(
      'too many of its parts (".*" and the like) can end in many places; begin it with "^https://", and write "[^/]*" where a part may not contain a slash',
    );
  }
  if (steps > MOST_STEPS || choices > MOST_CHOICES) {
    throw new PatternProblem(
      'too many of its parts are optional, alternatives of each other or long, or can end in many places',
    );
  }
  return steps;
}

/** What stands around a node: the last character before it, the first after it, whether anything must still match. */
interface Place {
  readonly before: CharSet;
  readonly after: CharSet;
  /** Nothing follows that could fail: whatever it takes is right. */
  readonly isLast: boolean;
}

function weigh(node: Node, place: Place, at: Arrivals, reckoning: Reckoning): Arrivals {
  switch (node.kind) {
    case 'edge':
      reckoning.steps += countOf(at);
      return at;
    case 'chars':
      return weighText([node.set], at, reckoning);
    case 'choice':
      return weighOptions(node.options, mostAlike(node.options), place, at, reckoning);
    case 'sequence':
      return weighSequence(node.items, place, at, reckoning);
    case 'repeat':
      return weighRepeat(node, place, at, reckoning);
  }
}

/** One character after the other, no choice between them. */
function weighText(text: readonly CharSet[], at: Arrivals, reckoning: Reckoning): Arrivals {
  const [first = NOTHING] = text;
  const again = text.findIndex((set, index) => index > 0 && overlap(set, first));
  /** Between two places where it can begin and go on there are at least so many characters. */
  const apart = again === -1 ? text.length : again;
  const inside = Math.min(at.places * text.length, at.span * Math.ceil(text.length / apart));
  reckoning.steps += at.ways * (at.places + inside);
  return { ...at, places: Math.min(at.places, Math.ceil(at.span / apart)) };
}

function weighOptions(
  options: readonly Node[],
  /** So many of them can begin with the same character. */
  alike: number,
  place: Place,
  at: Arrivals,
  reckoning: Reckoning,
): Arrivals {
  reckoning.choices *= alike;
  const { openEnds } = reckoning;
  let mostOpenEnds = openEnds;
  const ends = options.map((option) => {
    reckoning.openEnds = openEnds;
    const end = weigh(option, place, at, reckoning);
    mostOpenEnds = Math.max(mostOpenEnds, reckoning.openEnds);
    return end;
  });
  reckoning.openEnds = mostOpenEnds;
  const together = {
    ways: ends.reduce((sum, { ways }) => sum + ways, 0),
    places: Math.max(...ends.map(({ places }) => places)),
    span: Math.max(...ends.map(({ span }) => span)),
  };
  // From each arrival those that begin alike go on, and no others; but from different places to the same one, perhaps.
  const growth =
    at.places === 1
      ? Math.max(...ends.map(countOf)) / at.ways
      : Math.max(
          ...options.map((option) => countOf(weigh(option, place, eachOnItsOwn(1), { ...reckoning }))),
        );
  const apart = eachOnItsOwn(countOf(at) * alike * growth);
  return countOf(together) < countOf(apart) ? together : apart;
}

function weighSequence(
  given: readonly Node[],
  place: Place,
  start: Arrivals,
  reckoning: Reckoning,
): Arrivals {
  const items = given.flatMap(writtenOut);
  let at = start;
  let text: CharSet[] = [];
  for (const [index, item] of items.entries()) {
    const rest = items.slice(index + 1);
    if (item.kind === 'chars') {
      text.push(item.set);
      if (rest[0]?.kind === 'chars') continue;
      at = weighText(text, at, reckoning);
      text = [];
      continue;
    }
    const { set, isEmpty } = firstOf({ kind: 'sequence', items: rest });
    const after = isEmpty ? set | place.after : set;
    // An end of the line that must come is something that can fail.
    const isLast = place.isLast && rest.length === 0;
    const before = lastOf(items.slice(0, index), place.before);
    at = weigh(item, { before, after: isLast ? NOTHING : after, isLast }, at, reckoning);
  }
  return at;
}

/** Groups without a choice, and characters repeated a fixed number of times, are plain text. */
function writtenOut(node: Node): Node[] {
  if (node.kind === 'sequence') return node.items.flatMap(writtenOut);
  if (node.kind !== 'repeat' || node.least !== node.most || node.body.kind !== 'chars') return [node];
  return Array.from({ length: node.least }, () => node.body);
}

function weighRepeat(
  node: Extract<Node, { kind: 'repeat' }>,
  place: Place,
  at: Arrivals,
  reckoning: Reckoning,
): Arrivals {
  const { body, least, most, text } = node;
  if (most === 0) return at;
  if (most === 1) {
    if (least === 1) return weigh(body, place, at, reckoning);
    // There, or not.
    const { set, isEmpty } = firstOf(body);
    const alike = isEmpty || overlap(set, place.after) ? 2 : 1;
    return weighOptions([body, { kind: 'sequence', items: [] }], alike, place, at, reckoning);
  }
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  if (isVaried(body)) {
    throw new PatternProblem(
      `"${shown}" repeats something that itself repeats, is optional or has alternatives that begin alike`,
    );
  }
  const once = sizeOf(body);
  const times = Math.min(most, Math.ceil(reckoning.length / Math.max(1, shortestOf(body))));
  const count = countOf(at);
  // Whatever it takes beyond the least is right, and the search is over.
  if (place.isLast) {
    reckoning.steps += count * Math.max(1, least) * once + reckoning.length * once;
    return at;
  }
  const set = charsOf(body);
  const endsAnywhere = overlap(set, place.after) && least !== most;
  const beginsAnywhere = overlap(set, place.before);
  // Read from each place on; but where one cannot begin inside of another, every character is read for one of them.
  const reads = beginsAnywhere ? count * times : Math.min(count * times, at.ways * at.span);
  reckoning.steps += count + reads * once;
  if (!endsAnywhere) {
    // It gives back what it took, to no avail.
    reckoning.steps += reads;
    return beginsAnywhere || body.kind !== 'chars' ? eachOnItsOwn(count) : at;
  }
  if (most > MANY) reckoning.openEnds += 1;
  else reckoning.choices *= most - least + 1;
  return { ways: count, places: Math.max(1, times - least + 1), span: reckoning.length };
}

function countOf({ ways, places }: Arrivals): number {
  return ways * places;
}

/** Nothing is known of where they are. */
function eachOnItsOwn(count: number): Arrivals {
  return { ways: count, places: 1, span: LONGEST_MATCHED };
}

function shortestOf(node: Node): number {
  switch (node.kind) {
    case 'chars':
      return 1;
    case 'edge':
      return 0;
    case 'repeat':
      return shortestOf(node.body) * node.least;
    case 'choice':
      return Math.min(...node.options.map(shortestOf));
    case 'sequence':
      return node.items.reduce((sum, item) => sum + shortestOf(item), 0);
  }
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

/** How many of them can begin with one and the same character, at most. */
function mostAlike(options: readonly Node[]): number {
  const firsts = options.map(firstOf);
  const alikeTo = ({ set }: { set: CharSet }): number =>
    firsts.filter((other) => other.isEmpty || overlap(other.set, set)).length;
  return Math.max(1, ...firsts.map((first) => (first.isEmpty ? options.length : alikeTo(first))));
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
