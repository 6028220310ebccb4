/** The header of a file of orders: which columns it has. One that nobody knows is told once, not with every line. */
import { toCamelCase } from '../api/snake-case.ts';
import { bulkTask } from '../contract/task-shapes.ts';
import { findSimilarNames } from '../control/domains/similar-names.ts';
import { type Separator, splitCells } from '../engine/seeds/csv-cells.ts';
import { ForagerError } from '../platform/errors.ts';
import { printable } from './format.ts';

export interface Columns {
  readonly separator: Separator;
  readonly names: readonly string[];
}

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];
const KNOWN = Object.keys(bulkTask.shape);
const SPELLINGS = KNOWN.flatMap((name) => {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === name ? [name] : [name, snake];
});

/** Undefined: it is no header. Throws for one that has columns nobody knows, or none for the URL. */
export function readHeader(text: string, line: number): Columns | undefined {
  for (const separator of SEPARATORS) {
    const cells = splitCells(text, separator);
    if (!cells.every((name) => /^\w+$/.test(name))) continue;
    const names = cells.map((name) => (/^url$/i.test(name) ? 'url' : name));
    const unknown = names.filter((name) => !isKnown(name));
    // A word of ours among several says that it is meant as a header; a word alone may be the name of a site.
    if (names.length === unknown.length || (names.length === 1 && names[0] !== 'url')) continue;
    if (unknown.length > 0) throw unknownColumns(line, unknown);
    if (!names.includes('url')) {
      throw new BadHeader(line, 'the header has no column "url"');
    }
    return { separator, names };
  }
  return undefined;
}

/** Nothing of the file can be read as it was meant. */
export class BadHeader extends ForagerError {
  readonly line: number;

  constructor(line: number, reason: string, hint = `columns are ${KNOWN.join(', ')}`) {
    super('bad-header', reason, { hint });
    this.line = line;
  }
}

function isKnown(name: string): boolean {
  return KNOWN.includes(Object.keys(toCamelCase({ [name]: 0 }) as object)[0] ?? '');
}

function unknownColumns(line: number, names: readonly string[]): BadHeader {
  const shown = names.map((name) => `"${printable(name).slice(0, 50)}"`).join(', ');
  const [similar] = names.length === 1 ? findSimilarNames(names[0] ?? '', SPELLINGS) : [];
  return new BadHeader(
    line,
    `the header has ${names.length === 1 ? 'a column' : 'columns'} that nobody knows: ${shown}`,
    similar === undefined ? undefined : `did you mean ${similar}?`,
  );
}
