/** Searches as a search server understands them: nothing of what was typed is anything but a word in them. */
import { HIT_BEGINS, HIT_ENDS } from '../postgres/snip.ts';
import {
  MOST_COUNTED,
  MOST_FACET_VALUES,
  type PageSearch,
  type ProductFilters,
  type ProductSearch,
  type SearchPlace,
} from '../search-engine.ts';
import type { SearchQuery, SearchTerm } from '../search-query.ts';

/** What a product without a price or a rating is sorted as: after all others, either way. */
const AFTER_ALL = { asc: 1e18, desc: -1 } as const;

/** Whatever is found by its name comes before what is found by its text. */
const NAMED_BOOST = 100;

export function productQuery(search: ProductSearch): object {
  const { sort, order, after, limit, withFacets, withTotal, filters } = search;
  const field = { price: 'price', rating: 'rating', updatedAt: 'updated_us' } as const;
  const key =
    sort === 'relevance'
      ? { _score: { order: 'desc' } }
      : { [field[sort]]: { order, missing: AFTER_ALL[order] } };
  return {
    ...page(limit, after, sort === 'relevance' ? 'desc' : order, sort === 'updatedAt'),
    sort: [key, { product_id: { order: sort === 'relevance' ? 'desc' : order } }],
    query: wordsQuery(search.query, search.isAnyWord, filtersOf(filters)),
    track_scores: false,
    track_total_hits: withTotal ? MOST_COUNTED + 1 : false,
    _source: ['product_name'],
    highlight: highlight({
      'product_name.words': { number_of_fragments: 0 },
      'description.words': { number_of_fragments: 1, fragment_size: 160 },
    }),
    ...(withFacets ? { aggs: FACETS } : {}),
  };
}

export function pageQuery({ sort, order, after, limit, withTotal, domainId, ...search }: PageSearch): object {
  const key = sort === 'relevance' ? { _score: { order: 'desc' } } : { crawled_us: { order } };
  return {
    ...page(limit, after, order, sort === 'crawledAt'),
    sort: [key, { page_id: { order: sort === 'relevance' ? 'desc' : order } }],
    query: wordsQuery(
      search.query,
      search.isAnyWord,
      domainId === undefined ? [] : [term('domain_id', domainId)],
    ),
    track_total_hits: withTotal ? MOST_COUNTED + 1 : false,
    _source: false,
    highlight: highlight({ 'text.words': { number_of_fragments: 1, fragment_size: 200 } }),
  };
}

/** One more than wanted: whether there is a next page. */
function page(
  limit: number,
  after: SearchPlace | undefined,
  order: 'asc' | 'desc',
  isMoment: boolean,
): object {
  if (after === undefined) return { size: limit + 1 };
  const value =
    after.key === null ? AFTER_ALL[order] : isMoment ? microsecondsOf(after.key) : Number(after.key);
  return { size: limit + 1, search_after: [value, after.id] };
}

/** The value a hit was sorted by, as it stands in a cursor. */
export function keyOf(value: unknown, isMoment: boolean, order: 'asc' | 'desc'): string | null {
  if (value === AFTER_ALL[order]) return null;
  return isMoment ? momentOf(Number(value)) : String(value);
}

function microsecondsOf(moment: string): number {
  const [, fraction = '0'] = /\.(\d{6})Z$/.exec(moment) ?? [];
  const seconds = Math.floor(new Date(moment.replace(/\.\d+Z$/, 'Z')).getTime() / 1000);
  return seconds * 1_000_000 + Number(fraction);
}

function momentOf(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds - seconds * 1_000_000).padStart(6, '0');
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, `.${fraction}Z`);
}

function wordsQuery(
  { wanted, unwanted }: SearchQuery,
  isAnyWord: boolean,
  filter: readonly object[],
): object {
  // A query without words is one for everything, there.
  if (wanted.length === 0) return { match_none: {} };
  const inNames = wanted.map((one) => phrase('named', one));
  return {
    bool: {
      ...(isAnyWord
        ? { should: [...wanted.map(roughly), namedFirst(inNames, 1)], minimum_should_match: 1 }
        : {
            must: wanted.map((one) => phrase('everything', one)),
            should: [namedFirst(inNames, inNames.length)],
          }),
      must_not: unwanted.map((one) => phrase('everything', one)),
      filter,
    },
  };
}

/** A word may fall apart into several, which follow each other then; so do those of a language without spaces. */
function phrase(field: string, { text }: SearchTerm): object {
  return { match_phrase: { [field]: { query: text } } };
}

function roughly(one: SearchTerm): object {
  if (one.isPhrase) return phrase('everything', one);
  return { match: { everything: { query: one.text, operator: 'and', fuzziness: 'AUTO' } } };
}

function namedFirst(inNames: readonly object[], least: number): object {
  return {
    constant_score: {
      filter: { bool: { should: inNames, minimum_should_match: least } },
      boost: NAMED_BOOST,
    },
  };
}

const term = (field: string, value: string | number | boolean): object => ({ term: { [field]: { value } } });

function filtersOf(filters: ProductFilters): object[] {
  const { domainId, minPrice, maxPrice, currency, availability, minRating, brand, category, isMissing } =
    filters;
  const price = {
    ...(minPrice === undefined ? {} : { gte: Number(minPrice) }),
    ...(maxPrice === undefined ? {} : { lte: Number(maxPrice) }),
  };
  return [
    ...(domainId === undefined ? [] : [term('domain_id', domainId)]),
    ...(Object.keys(price).length === 0 ? [] : [{ range: { price } }]),
    ...(currency === undefined ? [] : [term('currency', currency)]),
    ...(availability === undefined ? [] : [{ terms: { availability } }]),
    ...(minRating === undefined ? [] : [{ range: { rating: { gte: Number(minRating) } } }]),
    ...(brand === undefined ? [] : [term('brand.lower', brand.toLowerCase())]),
    ...(category === undefined ? [] : [inCategory(category.toLowerCase())]),
    ...(isMissing === undefined ? [] : [term('is_missing', isMissing)]),
  ];
}

/** It, or what lies below it. */
function inCategory(category: string): object {
  const below = { prefix: { 'category.lower': { value: `${category} > ` } } };
  return { bool: { should: [term('category.lower', category), below], minimum_should_match: 1 } };
}

function highlight(fields: object): object {
  return { require_field_match: false, pre_tags: [HIT_BEGINS], post_tags: [HIT_ENDS], fields };
}

const facetOf = (field: string): object => ({ terms: { field, size: MOST_FACET_VALUES } });
const FACETS = {
  ...{ brand: facetOf('brand'), category: facetOf('category'), domain: facetOf('domain_name') },
  ...{ availability: facetOf('availability'), currency: facetOf('currency') },
};
