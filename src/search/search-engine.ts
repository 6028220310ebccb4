/** What a search engine answers, whichever it is. Two of them pass the same suite: PostgreSQL, and a search server. */
import type { SearchQuery } from './search-query.ts';

export type ProductSearchSort = 'relevance' | 'price' | 'rating' | 'updatedAt';
export type PageSearchSort = 'relevance' | 'crawledAt';
export type SearchOrder = 'asc' | 'desc';

/** Hits beyond are not counted. */
export const MOST_COUNTED = 10_000;
/** Hits beyond are not put in order of relevance, and cannot be paged to. */
export const MOST_RANKED = 5000;
/** Texts of pages are longer, and take longer each. */
export const MOST_RANKED_PAGES = 2000;
export const MOST_FACET_VALUES = 20;

export interface ProductFilters {
  readonly domainId?: number | undefined;
  /** In digits: exact. */
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
  readonly currency?: string | undefined;
  readonly availability?: readonly string[] | undefined;
  readonly minRating?: string | undefined;
  /** Whatever the case. */
  readonly brand?: string | undefined;
  /** "Garden > Tools" is also what lies below it; whatever the case. */
  readonly category?: string | undefined;
  /** Only those that are no longer on their page, or only others. */
  readonly isMissing?: boolean | undefined;
}

/** Where a page ended: the key it is sorted by as exact text (null: it had none), and the number. */
export interface SearchPlace {
  readonly key: string | null;
  readonly id: number;
}

export interface Page<Sort> {
  readonly sort: Sort;
  readonly order: SearchOrder;
  readonly after: SearchPlace | undefined;
  readonly limit: number;
  /** Counting is for the first page: later ones remember. */
  readonly withTotal: boolean;
}

export interface ProductSearch extends Page<ProductSearchSort> {
  readonly query: SearchQuery;
  /** At least one of the words instead of all. */
  readonly isAnyWord: boolean;
  readonly filters: ProductFilters;
  readonly withFacets: boolean;
}

export interface PageSearch extends Page<PageSearchSort> {
  readonly query: SearchQuery;
  readonly isAnyWord: boolean;
  readonly domainId: number | undefined;
}

/** Text in parts: what was searched for, and what stands between. Never markup. */
export type Snippet = readonly { readonly text: string; readonly isHit: boolean }[];

export interface FoundProduct {
  readonly id: number;
  readonly score: number;
  readonly place: SearchPlace;
  readonly snippets: { readonly name?: Snippet; readonly description?: Snippet };
}

export interface FoundPage {
  readonly id: number;
  readonly score: number;
  readonly place: SearchPlace;
  readonly snippet: Snippet;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export type FacetName = 'brand' | 'category' | 'domain' | 'availability' | 'currency';
export type Facets = Readonly<Record<FacetName, readonly FacetValue[]>>;

export interface Found<Hit> {
  readonly hits: readonly Hit[];
  /** 0 where it was not asked for. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** There are hits after the last of these. */
  readonly isMore: boolean;
  readonly facets?: Facets;
}

export interface SearchEngine {
  readonly kind: 'postgresql' | 'elasticsearch' | 'opensearch';
  searchProducts(search: ProductSearch): Promise<Found<FoundProduct>>;
  searchPages(search: PageSearch): Promise<Found<FoundPage>>;
}
