/** What is known of a product, and by what it is told apart from what was known before. */
import { createHash } from 'node:crypto';

export type Availability = 'in_stock' | 'out_of_stock';

export interface ProductContent {
  readonly name: string | null;
  /** As exactPrice writes it. */
  readonly price: string | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export function hashContent({ name, price, currency, availability, data }: ProductContent): Buffer {
  const text = JSON.stringify([name, price, currency, availability, inOrder(data)]);
  return createHash('sha256').update(text).digest();
}

/** The same data is the same text, in whichever order its keys came. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
