import type { Random } from './random.ts';

/** Phrases by name; `{name}` inside a phrase stands for one phrase of that name. */
export type Grammar = Readonly<Record<string, readonly string[]>>;

const DEEPEST_NESTING = 12;

/** Writes one phrase of `name`, filling every slot; the first letter stays as the phrase has it. */
export function composePhrase(grammar: Grammar, name: string, random: Random, nesting = 0): string {
  const phrases = grammar[name];
  if (phrases === undefined) throw new RangeError(`the grammar has no phrase called ${name}`);
  if (nesting > DEEPEST_NESTING) throw new RangeError(`the phrase ${name} contains itself without end`);
  return fillSlots(grammar, random.pick(phrases), random, nesting);
}

function fillSlots(grammar: Grammar, phrase: string, random: Random, nesting: number): string {
  return phrase.replaceAll(/\{([a-z-]+)\}/g, (_slot, inner: string) =>
    composePhrase(grammar, inner, random, nesting + 1),
  );
}

export function composeSentence(grammar: Grammar, name: string, random: Random): string {
  return polish(composePhrase(grammar, name, random));
}

/** A paragraph of up to `count` sentences, each after another pattern so that none echoes its neighbour. */
export function composeParagraph(grammar: Grammar, name: string, random: Random, count: number): string {
  const patterns = random.pickSome(grammar[name] ?? [], count);
  return patterns.map((pattern) => polish(fillSlots(grammar, pattern, random, 0))).join(' ');
}

function polish(text: string): string {
  return mendArticles(capitalise(text));
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Slots are filled without knowing their neighbours, so "a old kettle" is put right afterwards. */
function mendArticles(text: string): string {
  return text
    .replaceAll(/\b([Aa]) (?=(?:[aeio]|un(?!i)|u(?!n|s|ti))[a-z])/g, '$1n ')
    .replaceAll(/\b([Aa])n (?=one\b)/g, '$1 ');
}

export function makeSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
