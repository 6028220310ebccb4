/** What is read of a product, and where each part of it was found. Everything here is plain data. */

export const AVAILABILITIES = [
  'in_stock',
  'limited',
  'preorder',
  'backorder',
  'in_store_only',
  'out_of_stock',
  'discontinued',
] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export interface ProductImage {
  /** Absolute, http or https. */
  readonly url: string;
  readonly alt?: string;
}

export interface ProductVariant {
  readonly name?: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly mpn?: string;
  readonly url?: string;
  readonly price?: string;
  readonly currency?: string;
  readonly availability?: Availability;
  /** By what it differs, such as `{ color: 'red', size: 'M' }`. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Prices are decimal digits, exact, as exactPrice writes them: never binary fractions. */
export interface ProductFields {
  readonly name: string;
  readonly description: string;
  /** What it costs; the lowest of a range. "0" is free. */
  readonly price: string;
  /** The upper end, where there is a range. */
  readonly priceHigh: string;
  /** What it cost before, or is said to be worth: above the price. */
  readonly listPrice: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly availability: Availability;
  /** Out of five, with at most two decimals, such as "4.35". */
  readonly rating: string;
  readonly reviewCount: number;
  readonly brand: string;
  /** From the general to the special, without the shop's front page and without the product. */
  readonly category: readonly string[];
  readonly sku: string;
  /** 8, 12, 13 or 14 digits with the right check digit. */
  readonly gtin: string;
  readonly mpn: string;
  /** The main one first. */
  readonly images: readonly ProductImage[];
  readonly variants: readonly ProductVariant[];
}

export type FieldName = keyof ProductFields;

export type FieldSource =
  | 'site-parser'
  | 'json-ld'
  | 'microdata'
  | 'rdfa'
  | 'open-graph'
  | 'meta'
  | 'heuristic';

export interface FoundField<T> {
  readonly value: T;
  readonly source: FieldSource;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The text it was read from, at most 200 characters. */
  readonly evidence?: string;
}

export type FoundFields = { readonly [Name in FieldName]?: FoundField<ProductFields[Name]> };

/** What can be wrong with what was found. */
export interface FieldProblem {
  /** One of the product, or whatever else a site parser has returned. */
  readonly field: string;
  /** Such as missing, bad-format, implausible. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
}

/**
 * valid: what a product needs is there and plausible. partial: it is a product, and something that is needed is not
 * there. invalid: what is there cannot be right, and is not stored. none: no product is on the page.
 */
export type Verdict = 'valid' | 'partial' | 'invalid' | 'none';

export interface Extraction {
  readonly parser: string;
  readonly version: string;
  readonly verdict: Verdict;
  readonly problems: readonly FieldProblem[];
  /** Empty where there is no product. */
  readonly fields: FoundFields;
  /** Why there is no product, where the parser can say it. */
  readonly reason?: string;
  /** The parser itself has failed, which says nothing about the page: what it has said. */
  readonly failure?: string;
}
