/** What is known of a product, and by what it is told apart from what was known before. */
import { createHash } from 'node:crypto';
import type { Availability, ProductVariant } from '../extract/product-fields.ts';

export interface ProductContent {
  readonly name: string | null;
  readonly description: string | null;
  /** As exactPrice writes it, here and below. */
  readonly price: string | null;
  readonly priceHigh: string | null;
  readonly listPrice: string | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly rating: string | null;
  readonly reviewCount: number | null;
  readonly brand: string | null;
  readonly categoryPath: readonly string[];
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly mpn: string | null;
  readonly imageUrls: readonly string[];
  readonly variants: readonly ProductVariant[];
  readonly language: string | null;
  /** Whatever else a bot has found. */
  readonly data: Readonly<Record<string, unknown>>;
}

export type ContentName = keyof ProductContent;

export const NO_CONTENT: ProductContent = {
  name: null,
  description: null,
  price: null,
  priceHigh: null,
  listPrice: null,
  currency: null,
  availability: null,
  rating: null,
  reviewCount: null,
  brand: null,
  categoryPath: [],
  sku: null,
  gtin: null,
  mpn: null,
  imageUrls: [],
  variants: [],
  language: null,
  data: {},
};

const NAMES = Object.keys(NO_CONTENT) as ContentName[];
/** A change of one of these is a point in the history. */
const OFFER: ReadonlySet<ContentName> = new Set(['price', 'currency', 'availability']);

/** By name: what it was, and what it is. */
export type Changes = { [Name in ContentName | 'isMissing']?: readonly [unknown, unknown] };

export function findChanges(before: ProductContent, after: ProductContent): Changes {
  const changes: Changes = {};
  for (const name of NAMES) {
    if (canonical(before[name]) === canonical(after[name])) continue;
    changes[name] = [shortened(before[name]), shortened(after[name])];
  }
  return changes;
}

/** What has changed is told; the whole of it is with the product. */
const LONGEST_TOLD = 300;
const MOST_TOLD = 20;

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TOLD) {
    return `${Buffer.from(value.slice(0, LONGEST_TOLD)).toString()}…`;
  }
  return Array.isArray(value) ? value.slice(0, MOST_TOLD) : value;
}

export function isOfferChange(changes: Changes): boolean {
  return Object.keys(changes).some((name) => OFFER.has(name as ContentName));
}

export function hashContent(content: ProductContent): Buffer {
  return createHash('sha256')
    .update(NAMES.map((name) => canonical(content[name])).join('\n'))
    .digest();
}

/** The same data is the same text, in whichever order its keys came. */
function canonical(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(inOrder(value)) : JSON.stringify(value);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
