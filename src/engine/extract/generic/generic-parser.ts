/**
 * The parser of every domain that has none of its own: what a page says in structured data, in whichever syntax, then
 * what it says in metas, then, carefully, what can be seen on it.
 *
 * Most pages are dismissed by a look at their bytes. A tree is built only where microdata, RDFa or the page itself has
 * to be read: where JSON-LD tells all that a product needs, it is not.
 */
import { noProduct, type PageInput, type PageParser } from '../extract-page.ts';
import { chooseProduct } from '../product/choose-product.ts';
import { isSameProduct, mergeFields } from '../product/merge-fields.ts';
import { makeContext, type PageContext } from '../product/page-context.ts';
import { isMetaProduct, readMetaProduct } from '../product/read-meta-product.ts';
import { readProduct } from '../product/read-product.ts';
import type { Extraction, FieldProblem, FoundFields } from '../product-fields.ts';
import { readJsonLd } from '../structured/json-ld.ts';
import { firstMeta, type PageMetas, readMetas } from '../structured/open-graph.ts';
import type { StructuredData } from '../structured/structured-item.ts';
import { judgeProduct } from '../validate-product.ts';
import { lookAtBytes } from './may-hold-product.ts';
import { readHeadings, readTitle } from './page-titles.ts';

export const genericParser: PageParser = { name: 'generic', version: '1', extract };

function extract(page: PageInput): Extraction {
  const signs = lookAtBytes(page.html);
  if (!signs.isWorthReading) return noProduct(genericParser);
  const metas = readMetas(page.html);
  const context = contextOf(page, metas);
  const problems: FieldProblem[] = [];
  const sources: FoundFields[] = [];

  if (signs.hasJsonLd) {
    const data = readJsonLd(page.html, page.language);
    if (data.isCut) problems.push(TOO_LARGE);
    addStructured(sources, data, context);
  }
  if (sources.length > 0 || isMetaProduct(metas)) {
    const told = readMetaProduct(metas, context);
    if (sources.length > 0 || told.price !== undefined) sources.push(told);
  }
  if (sources.length === 0) return { ...noProduct(genericParser), problems };
  const { verdict, problems: found, fields } = judgeProduct(mergeFields(sources));
  const { name: parser, version } = genericParser;
  return { parser, version, verdict, problems: [...problems, ...found], fields };
}

const TOO_LARGE: FieldProblem = {
  field: 'name',
  code: 'too-large',
  message: 'The page has more structured data than is read; the rest of it was left out.',
};

function addStructured(sources: FoundFields[], data: StructuredData, context: PageContext): void {
  const chosen = chooseProduct(data.items, context);
  if (chosen === undefined) return;
  const fields = readProduct(chosen, data.items, data.source, context);
  if (sources.every((before) => isSameProduct(before, fields))) sources.push(fields);
}

function contextOf(page: PageInput, metas: PageMetas): PageContext {
  const titles = [
    ...readHeadings(page.html),
    readTitle(page.html),
    firstMeta(metas, 'og:title')?.value,
    firstMeta(metas, 'twitter:title')?.value,
  ];
  return makeContext(page, {
    titles: titles.filter((title) => title !== undefined && title !== '') as string[],
    siteName: firstMeta(metas, 'og:site_name')?.value,
  });
}
