import type { Grammar } from './grammar.ts';
import type { Palette } from './style.ts';

/** Everything that makes one shop different from the other. */
export interface ShopPlan {
  readonly name: string;
  readonly domain: string;
  readonly tagline: string;
  readonly description: string;
  readonly language: string;
  readonly currency: 'GBP' | 'EUR';
  readonly palette: Palette;
  /** How product pages tell machines what they sell. */
  readonly markup: 'json-ld' | 'microdata';
  readonly pictures: 'svg' | 'png';
  /** Shops that let people narrow a category by colour and size multiply their pages by doing so. */
  readonly hasFacets: boolean;
  readonly colours: readonly string[];
  readonly sizes: readonly string[];
  readonly adjectives: readonly string[];
  readonly brands: readonly string[];
  readonly categories: readonly ShopCategoryPlan[];
  /** Must have the phrases `blurb` and `story`. */
  readonly grammar: Grammar;
  readonly aboutParagraphs: readonly string[];
  readonly robotsRules: string;
}

export interface ShopCategoryPlan {
  readonly title: string;
  readonly blurb: string;
  readonly nouns: readonly string[];
  readonly productCount: number;
  readonly cheapestPence: number;
  readonly dearestPence: number;
}

export type Availability = 'InStock' | 'OutOfStock' | 'PreOrder';

export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly sku: string;
  readonly brand: string;
  readonly category: Category;
  readonly colour: string;
  readonly size: string;
  readonly pricePence: number;
  readonly availability: Availability;
  readonly ratingTenths: number;
  readonly reviewCount: number;
  readonly blurb: string;
  readonly story: readonly string[];
  readonly hue: number;
  readonly modifiedOn: string;
}

export interface Category {
  readonly slug: string;
  readonly title: string;
  readonly blurb: string;
}
