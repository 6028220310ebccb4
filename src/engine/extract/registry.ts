/** The parsers there are, by name: built-in ones, and those that somebody has put into the folder for them. */
import type { PageParser } from './extract-page.ts';

export interface ParserRegistry {
  /** Undefined: there is none of that name. */
  find(name: string): PageParser | undefined;
  readonly names: readonly string[];
}

/** The name of no parser: pages of such a domain are not looked at for products. */
export const NO_PARSER = 'none';
