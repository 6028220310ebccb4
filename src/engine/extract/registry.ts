/** The parsers there are, by name: built-in ones, and those that somebody has put into the folder for them. */
import type { PageParser } from './extract-page.ts';

export interface ParserRegistry {
  /** Undefined: there is none of that name. One whose file is broken is found, and fails on every page. */
  find(name: string): PageParser | undefined;
  readonly names: readonly string[];
}

/** The name of no parser: pages of such a domain are not looked at for products. */
export const NO_PARSER = 'none';

/** The parser that every domain has unless somebody chooses another. */
export const GENERIC_PARSER = 'generic';

/**
 * The parser for the pages of a domain; undefined: they are not looked at. A name that nobody has (its file was taken
 * away, or is on another machine) is no reason to read the pages in another way: each counts as failed, and says why.
 */
export function parserFor(registry: ParserRegistry, name: string): PageParser | undefined {
  if (name === NO_PARSER) return undefined;
  return (
    registry.find(name) ?? failingParser(name, 'unknown', `there is no parser "${name}" on this machine`)
  );
}

export function failingParser(name: string, version: string, message: string): PageParser {
  return {
    name,
    version,
    extract: () => {
      throw new Error(message);
    },
  };
}
