/**
 * The parser of every domain that has none of its own: what a page says in structured data, in whichever syntax, then
 * what it says in metas, then, carefully, what can be seen on it.
 *
 * A tree is built only where microdata, RDFa or the page itself has to be read: not where JSON-LD tells all that a
 * product needs, and not where a look at the bytes shows neither such data nor a shop.
 */
import { parseDocument } from '../document/page-document.ts';
import { noProduct, type PageInput, type PageParser } from '../extract-page.ts';
import { chooseProduct, mayBeFree } from '../product/choose-product.ts';
import { isSameProduct, mergeFields } from '../product/merge-fields.ts';
import { makeContext, type PageContext } from '../product/page-context.ts';
import { isMetaProduct, readMetaProduct } from '../product/read-meta-product.ts';
import { readProduct } from '../product/read-product.ts';
import type { Extraction, FieldProblem, FoundFields } from '../product-fields.ts';
import { readJsonLd } from '../structured/json-ld.ts';
import { readMicrodata } from '../structured/microdata.ts';
import { firstMeta, type PageMetas, readMetas } from '../structured/open-graph.ts';
import { readRdfa } from '../structured/rdfa.ts';
import type { StructuredData } from '../structured/structured-item.ts';
import { judgeProduct } from '../validate-product.ts';
import { mayHoldProduct } from './may-hold-product.ts';
import { readHeadings, readTitle } from './page-titles.ts';
import { settlePrice } from './settle-price.ts';
import { readVisibleProduct } from './visible/visible-product.ts';

export const genericParser: PageParser = { name: 'generic', version: '1', extract };

const TOO_LARGE: FieldProblem = {
  field: 'name',
  code: 'too-large',
  message: 'The page has more structured data than is read; the rest of it was left out.',
};

function extract(page: PageInput): Extraction {
  const { html } = page;
  const metas = readMetas(html);
  const context = contextOf(page, metas);
  const data = readJsonLd(html, page.language);
  const problems = data.isCut ? [TOO_LARGE] : [];
  const sources: FoundFields[] = [];
  const works = new Set<FoundFields>();
  addStructured(sources, works, data, context);
  // What search engines ask for is there: no tree for the rest.
  if (isComplete(sources[0])) addMetas(sources, metas, context);
  else addFromTree(sources, works, html, metas, context);
  if (sources.length === 0) return { ...noProduct(genericParser), problems };
  const judged = judgeProduct(mergeFields(sources));
  const { name: parser, version } = genericParser;
  return { parser, version, ...judged, problems: [...problems, ...judged.problems] };
}

function isComplete(fields: FoundFields | undefined): boolean {
  if (fields?.name === undefined || fields.price === undefined) return false;
  return fields.currency !== undefined && fields.availability !== undefined && fields.price.value !== '0';
}

function addFromTree(
  sources: FoundFields[],
  works: Set<FoundFields>,
  html: Buffer,
  metas: PageMetas,
  context: PageContext,
): void {
  const isTold = sources.length > 0 || isMetaProduct(metas);
  if (!isTold && !mayHoldProduct(html)) return;
  const document = parseDocument(html);
  addStructured(sources, works, readMicrodata(document, context.baseUrl), context);
  addStructured(sources, works, readRdfa(document, context.baseUrl), context);
  const isEnough = isComplete(sources[0]);
  addMetas(sources, metas, context);
  if (isEnough) return;
  const isKnown = sources.length > 0;
  const visible = readVisibleProduct(document, context, isKnown);
  if (isKnown || (visible.isProductPage && !isFrontPage(context.url))) sources.push(visible.fields);
  settlePrice(sources, works, visible.fields);
}

/** A shop's front page shows what it likes to sell, and is about none of it unless it says so. */
function isFrontPage(url: string): boolean {
  return /^https?:\/\/[^/?#]*\/?(?:#.*)?$/i.test(url);
}

function addMetas(sources: FoundFields[], metas: PageMetas, context: PageContext): void {
  if (sources.length === 0 && !isMetaProduct(metas)) return;
  const told = readMetaProduct(metas, context);
  if (sources.length > 0 || told.price !== undefined) sources.push(told);
}

/** `works`: those of the sources that tell of what may be free. */
function addStructured(
  sources: FoundFields[],
  works: Set<FoundFields>,
  data: StructuredData | undefined,
  context: PageContext,
): void {
  if (data === undefined || data.items.length === 0) return;
  const chosen = chooseProduct(data.items, context);
  if (chosen === undefined) return;
  const fields = readProduct(chosen, data.items, data.source, context);
  if (!sources.every((before) => isSameProduct(before, fields))) return;
  sources.push(fields);
  if (mayBeFree(chosen.item)) works.add(fields);
}

function contextOf(page: PageInput, metas: PageMetas): PageContext {
  const { html } = page;
  const readHeadTitles = (): string[] => {
    const titles = [readTitle(html), firstMeta(metas, 'og:title', 'twitter:title')?.value];
    return titles.filter((title) => title !== undefined && title !== '') as string[];
  };
  const siteName = firstMeta(metas, 'og:site_name')?.value;
  return makeContext(page, () => readHeadings(html), readHeadTitles, siteName);
}
