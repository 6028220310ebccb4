/** Opens the parsers of this installation: the generic one, those that come along, and those of the operator. */
import { noProduct, type PageParser } from '../extract-page.ts';
import type { ParserRegistry } from '../registry.ts';

export interface ParserFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  /** built-in: part of the program; bundled: comes along with it; folder and setting: the operator's own. */
  readonly origin: 'built-in' | 'bundled' | 'folder' | 'setting';
  readonly file: string | undefined;
}

/** A file that is no parser: what is wrong with it, and what to do. */
export interface ParserTrouble {
  readonly file: string;
  /** The parser it was to be. */
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

export interface OpenedParsers extends ParserRegistry {
  readonly parsers: readonly ParserFacts[];
  readonly troubles: readonly ParserTrouble[];
}

export interface ParserPlaces {
  /** A folder of parsers; it need not be there. */
  readonly directory?: string | undefined;
  /** Files of parsers; each must be there. */
  readonly files?: readonly string[] | undefined;
}

export async function openParsers(_places: ParserPlaces = {}): Promise<OpenedParsers> {
  const generic: PageParser = { name: 'generic', version: '1', extract: () => noProduct(generic) };
  const byName = new Map([[generic.name, generic]]);
  return {
    find: (name) => byName.get(name),
    names: [...byName.keys()],
    parsers: [{ name: 'generic', version: '1', description: undefined, origin: 'built-in', file: undefined }],
    troubles: [],
  };
}
