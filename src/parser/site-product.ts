/**
 * What a site parser returns: values as they are written on the page. Forager reads prices, availabilities and ratings
 * from them, makes URLs absolute, and judges the whole. What is undefined, null or empty was not found.
 */

/** What is not there may be said in any of the usual ways. */
type Maybe<T> = T | null | undefined;

/** A price as text ("£12.50", "from 1.299,00 €"), or in parts where the page has it in parts. */
export type SitePrice =
  | string
  | number
  | {
      /** Digits, as the page or its data writes them. */
      readonly amount: string | number;
      /** ISO 4217, or a symbol. */
      readonly currency?: Maybe<string>;
    };

/** "4.5 out of 5", "87 %", or the number and what it is out of. */
export type SiteRating =
  | string
  | number
  | {
      readonly value: string | number;
      /** The best there is: 5, unless it is said. */
      readonly best?: Maybe<string | number>;
      readonly worst?: Maybe<string | number>;
    };

/** Absolute, or relative to the page. */
export type SiteImage = string | { readonly url: string; readonly alt?: Maybe<string> };

export interface SiteVariant {
  readonly name?: Maybe<string>;
  readonly sku?: Maybe<string>;
  readonly gtin?: Maybe<string>;
  readonly mpn?: Maybe<string>;
  readonly url?: Maybe<string>;
  readonly price?: Maybe<SitePrice>;
  readonly currency?: Maybe<string>;
  readonly availability?: Maybe<string>;
  /** By what it differs, such as `{ color: 'red', size: 'M' }`. */
  readonly options?: Maybe<Readonly<Record<string, string>>>;
}

export interface SiteProduct {
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  /** What it costs. A range ("12 – 20 €") gives its lower end, and the upper one as well. */
  readonly price?: Maybe<SitePrice>;
  /** The upper end, where the page has it apart from the price. */
  readonly priceHigh?: Maybe<SitePrice>;
  /** What it cost before, or is said to be worth. */
  readonly listPrice?: Maybe<SitePrice>;
  /** Where the prices do not say it. */
  readonly currency?: Maybe<string>;
  /** Words ("In stock", "ausverkauft"), a value of schema.org, or one of ours ("in_stock"). */
  readonly availability?: Maybe<string>;
  readonly rating?: Maybe<SiteRating>;
  /** 1234, or text with the number in it: "1,234 ratings". */
  readonly reviewCount?: Maybe<string | number>;
  readonly brand?: Maybe<string>;
  /** From the general to the special, or on one line: "Garden > Pots". */
  readonly category?: Maybe<string | readonly Maybe<string>[]>;
  readonly sku?: Maybe<string | number>;
  /** EAN, UPC or ISBN. */
  readonly gtin?: Maybe<string | number>;
  readonly mpn?: Maybe<string | number>;
  /** The main one first. */
  readonly images?: Maybe<SiteImage | readonly Maybe<SiteImage>[]>;
  readonly variants?: Maybe<readonly SiteVariant[]>;
  /** How sure it is, from 0 to 1: of all, or field by field. 0.95 unless it is said. */
  readonly confidence?: Maybe<number | Readonly<Record<string, number>>>;
}
