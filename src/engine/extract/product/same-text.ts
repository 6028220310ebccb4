/** Are two texts the same name? Case, marks and spaces do not matter. */

const PLAIN = /^[\x20-\x7e]*$/;

export function plainWords(text: string): string {
  if (PLAIN.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** same: word for word; within: one holds the other, as titles hold the name of what they are about. */
export type Likeness = 'same' | 'within' | undefined;

export function compareNames(one: string, other: string): Likeness {
  const a = plainWords(one);
  const b = plainWords(other);
  if (a === '' || b === '') return undefined;
  if (a === b) return 'same';
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  // A single word is within half of all titles, and the title of a category within half of its products.
  if (!short.includes(' ') && !/[^\x00-\u024f]{4}/.test(short)) return undefined;
  return ` ${long} `.includes(` ${short} `) ? 'within' : undefined;
}
