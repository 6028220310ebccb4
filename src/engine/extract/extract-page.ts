/**
 * From a page to the product on it: the parser of its domain reads it, what it found is checked, and there is a verdict.
 * Never throws for what a page contains; what it costs is bounded by the size of the page.
 */
import type { Extraction } from './product-fields.ts';

export interface PageInput {
  /** In UTF-8, as toUtf8Html returns it. */
  readonly html: Buffer;
  /** The page's address: what relative URLs are resolved against, unless a base says otherwise. */
  readonly url: string;
  readonly baseUrl: string;
  /** Of the page, lower case BCP 47, where it is known. */
  readonly language: string | undefined;
}

export interface PageParser {
  readonly name: string;
  readonly version: string;
  /** May throw: a defect in it is its own, and is told as such. */
  extract(page: PageInput): Extraction;
}

const NOTHING = { verdict: 'none', problems: [], fields: {} } as const;

const MAX_FAILURE_CHARS = 500;

export function extractPage(parser: PageParser, page: PageInput): Extraction {
  try {
    return parser.extract(page);
  } catch (error) {
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE_CHARS);
    return { ...noProduct(parser), failure };
  }
}

export function noProduct({ name, version }: Pick<PageParser, 'name' | 'version'>): Extraction {
  return { parser: name, version, ...NOTHING };
}
