/** A parser for tests that takes a page's word: the extraction stands on it, as JSON. */
import type { PageInput, PageParser } from '../../src/engine/extract/extract-page.ts';
import { noProduct } from '../../src/engine/extract/extract-page.ts';
import type {
  Extraction,
  FieldProblem,
  ProductFields,
  Verdict,
} from '../../src/engine/extract/product-fields.ts';
import { NO_PARSER, type ParserRegistry } from '../../src/engine/extract/registry.ts';
import { htmlPage } from '../origin/site.ts';

export interface Told extends Partial<ProductFields> {
  readonly verdict?: Verdict;
  readonly problems?: readonly FieldProblem[];
  /** The parser fails with this. */
  readonly breaks?: string;
}

const BEFORE = '<script type="text/told">';

export function toldParser(name = 'generic', version = '1'): PageParser {
  const parser = { name, version };
  return { ...parser, extract: (page) => read(parser, page) };
}

export function registryOf(...parsers: readonly PageParser[]): ParserRegistry {
  const byName = new Map(parsers.map((parser) => [parser.name, parser]));
  return { find: (name) => byName.get(name), names: [...byName.keys(), NO_PARSER] };
}

export const toldParsers = registryOf(toldParser());

export function productPage(told: Told | undefined, links: readonly string[] = []): string {
  return htmlPage('A page', links, told === undefined ? '' : `${BEFORE}${JSON.stringify(told)}</script>`);
}

function read(parser: Pick<PageParser, 'name' | 'version'>, { html }: PageInput): Extraction {
  const at = html.indexOf(BEFORE);
  if (at === -1) return noProduct(parser);
  const text = html.toString('utf8', at + BEFORE.length, html.indexOf('</script>', at));
  const { verdict = 'valid', problems = [], breaks, ...fields } = JSON.parse(text) as Told;
  if (breaks !== undefined) throw new Error(breaks);
  const found = Object.entries(fields).map(([name, value]) => [
    name,
    { value, source: 'json-ld', confidence: 0.9, evidence: String(value).slice(0, 50) },
  ]);
  return {
    parser: parser.name,
    version: parser.version,
    verdict,
    problems,
    fields: Object.fromEntries(found),
  };
}
