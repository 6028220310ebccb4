/** Whether a thing can be had, from a schema.org value or from what a page says in words. */
import type { Availability } from '../product-fields.ts';

const MOST_CHARACTERS = 400;

/** schema.org's ItemAvailability and what feeds write in its place, lower case, letters only. */
const VALUES: ReadonlyMap<string, Availability> = new Map<string, Availability>([
  ['instock', 'in_stock'],
  ['available', 'in_stock'],
  ['onlineonly', 'in_stock'],
  ['madetoorder', 'in_stock'],
  ['limitedavailability', 'limited'],
  ['limitedstock', 'limited'],
  ['lowstock', 'limited'],
  ['instoreonly', 'in_store_only'],
  ['presale', 'preorder'],
  ['preorder', 'preorder'],
  ['backorder', 'backorder'],
  ['backordered', 'backorder'],
  ['outofstock', 'out_of_stock'],
  ['oos', 'out_of_stock'],
  ['soldout', 'out_of_stock'],
  ['reserved', 'out_of_stock'],
  ['unavailable', 'out_of_stock'],
  ['discontinued', 'discontinued'],
]);

export function readAvailability(text: string): Availability | undefined {
  const short = text.slice(0, MOST_CHARACTERS).trim().toLowerCase();
  const value = short.replace(/^.*[/#:]/, '').replace(/[^a-z]/g, '');
  return VALUES.get(value);
}
