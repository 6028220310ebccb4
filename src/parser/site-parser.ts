/** What a site parser is, and what it is given. */
import type { SiteProduct } from './site-product.ts';

export interface SiteParser {
  /** By which domains choose it: small letters, digits, dashes; such as "moss-and-marrow". */
  readonly name: string;
  /** Any text without spaces. Change it with every change that may change results: figures are kept by version. */
  readonly version: string;
  /** A sentence for the list of parsers. */
  readonly describe?: string;
  /** generic (the default): what it does not find is taken from the generic parser; none: it is left out. */
  readonly fallback?: 'generic' | 'none';
  /** A cheap first look, best at the URL: false, and the page is not looked at any further. */
  isProduct?(page: SitePage): boolean;
  /** The product of the page; undefined: there is none. It must not wait for anything. */
  parse(page: SitePage): SiteProduct | undefined | null;
}

export interface SitePage {
  readonly url: string;
  /** Of the page, in small letters, such as "en-gb"; undefined: it does not say. */
  readonly language: string | undefined;
  /** The first element that matches. */
  select(css: string): PageElement | undefined;
  selectAll(css: string): readonly PageElement[];
  /** The text of the first element that matches; undefined: none does, or it is empty. */
  text(css: string): string | undefined;
  /** An attribute of the first element that matches; undefined: none does, or it has none. */
  attribute(css: string, name: string): string | undefined;
  /** What the page says in JSON-LD: all that stands by itself, or what is of this type ("Product"), at any depth. */
  jsonLd(type?: string): readonly StructuredThing[];
  /** What the generic parser finds; undefined: nothing that looks like a product. */
  generic(): GenericProduct | undefined;
  /** Reads a price: "£1,299.00", "12 – 20 €", "free"; undefined: there is none in it. */
  price(text: string | undefined, hints?: PriceHints): ReadPrice | undefined;
  /** An address of the page made absolute; undefined: it is none. */
  absolute(url: string | undefined): string | undefined;
}

export interface PageElement {
  /** In small letters. */
  readonly tagName: string;
  /** All text within it, white space made single. */
  text(): string;
  /** Its content as written, for data in scripts. */
  raw(): string;
  attribute(name: string): string | undefined;
  /** Inside it; a selector that begins with `>` is about its children. */
  select(css: string): PageElement | undefined;
  selectAll(css: string): readonly PageElement[];
}

export interface StructuredThing {
  /** Without the vocabulary's address: "Product", "Offer". */
  readonly types: readonly string[];
  readonly id: string | undefined;
  /** The first value of a property that is text. */
  text(property: string): string | undefined;
  /** All values of a property that are text. */
  texts(property: string): readonly string[];
  /** The first value of a property that is a thing. */
  thing(property: string): StructuredThing | undefined;
  things(property: string): readonly StructuredThing[];
}

export interface PriceHints {
  /** What "$" or a bare number is in. */
  readonly currency?: string | undefined;
}

/** Decimal digits as text, exact: never a number, which would lose some. */
export interface ReadPrice {
  readonly amount: string;
  /** The upper end of a range. */
  readonly high: string | undefined;
  /** ISO 4217; undefined: it does not say. */
  readonly currency: string | undefined;
}

/** Values as Forager keeps them: prices as digits, the rating out of five, URLs absolute. */
export interface GenericProduct {
  readonly name?: string;
  readonly description?: string;
  readonly price?: string;
  readonly priceHigh?: string;
  readonly listPrice?: string;
  readonly currency?: string;
  readonly availability?: string;
  readonly rating?: string;
  readonly reviewCount?: number;
  readonly brand?: string;
  readonly category?: readonly string[];
  readonly sku?: string;
  readonly gtin?: string;
  readonly mpn?: string;
  readonly images?: readonly { readonly url: string; readonly alt?: string }[];
  readonly variants?: readonly {
    readonly name?: string;
    readonly sku?: string;
    readonly url?: string;
    readonly price?: string;
    readonly currency?: string;
    readonly availability?: string;
    readonly options?: Readonly<Record<string, string>>;
  }[];
}
