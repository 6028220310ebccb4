/**
 * A price of nothing in data is what shops write that have not entered one, or no longer sell the thing. It counts only
 * where the page itself says that it is free, or for a work that is often given away and has no other price to be seen.
 */
import type { MutableFields } from '../product/found-fields.ts';
import type { FoundFields } from '../product-fields.ts';

const MONEY = ['price', 'priceHigh', 'listPrice', 'currency'] as const;

export function settlePrice(
  sources: FoundFields[],
  works: ReadonlySet<FoundFields>,
  visible: FoundFields,
): void {
  if (visible.price?.value === '0') return;
  for (const [index, fields] of sources.entries()) {
    if (fields.price?.value !== '0') continue;
    if (works.has(fields) && visible.price === undefined) continue;
    const without: MutableFields = { ...fields };
    for (const name of MONEY) delete without[name];
    sources[index] = without;
  }
}
