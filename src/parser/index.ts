/** `forager/parser`: the types of a site parser, for whoever writes one. */
export { defineParser } from './define-parser.ts';
export type {
  GenericProduct,
  PageElement,
  PriceHints,
  ReadPrice,
  SitePage,
  SiteParser,
  StructuredThing,
} from './site-parser.ts';
export type { SiteImage, SitePrice, SiteProduct, SiteRating, SiteVariant } from './site-product.ts';
