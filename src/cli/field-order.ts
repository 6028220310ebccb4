/** The fields of a product in the order in which they are shown, whatever order they were found or stored in. */
import type { FieldName } from '../engine/extract/product-fields.ts';

const ORDER: readonly FieldName[] = [
  ...([
    'name',
    'price',
    'priceHigh',
    'listPrice',
    'currency',
    'availability',
    'rating',
    'reviewCount',
  ] as const),
  ...(['brand', 'category', 'sku', 'gtin', 'mpn', 'description', 'images', 'variants'] as const),
];

export function inFieldOrder<T>(fields: Readonly<Record<string, T>>): [name: string, field: T][] {
  const place = (name: string): number =>
    (ORDER.indexOf(name as FieldName) + ORDER.length + 1) % (ORDER.length + 1);
  return Object.entries(fields).sort(([a], [b]) => place(a) - place(b));
}
