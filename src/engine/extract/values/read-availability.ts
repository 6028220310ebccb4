/** Whether a thing can be had, from a schema.org value or from what a page says in words. */
import type { Availability } from '../product-fields.ts';
import { DENIED, FEW_LEFT, findPhrase, NONE_LEFT, SCRIPT_PHRASES } from './availability-phrases.ts';

const MOST_CHARACTERS = 300;

/** schema.org's ItemAvailability and what feeds write in its place: lower case, letters only. */
const VALUES: ReadonlyMap<string, Availability> = new Map<string, Availability>([
  ['instock', 'in_stock'],
  ['instocknow', 'in_stock'],
  ['available', 'in_stock'],
  ['availablefororder', 'in_stock'],
  ['onlineonly', 'in_stock'],
  ['madetoorder', 'in_stock'],
  ['limitedavailability', 'limited'],
  ['limitedstock', 'limited'],
  ['limited', 'limited'],
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
  ['notavailable', 'out_of_stock'],
  ['pending', 'backorder'],
  ['discontinued', 'discontinued'],
]);
/** What stands before the value: the vocabulary's address, or its name. */
const VOCABULARY = /^.*[/#]|^schema:|^itemavailability[.:]?/;

/** Undefined where nothing is said about it that is understood. */
export function readAvailability(text: string): Availability | undefined {
  const short = text.slice(0, MOST_CHARACTERS).trim().toLowerCase();
  const value = short.replace(VOCABULARY, '').replace(/[\s_-]/g, '');
  return VALUES.get(value) ?? readPhrase(short);
}

function readPhrase(text: string): Availability | undefined {
  const plain = text.normalize('NFC').replace(/[\u2019\u02bc]/g, "'");
  const words = ` ${(plain.match(/[\p{L}\p{M}\p{N}']+/gu) ?? []).join(' ')} `;
  if (NONE_LEFT.test(plain)) return 'out_of_stock';
  const said = findPhrase(words) ?? SCRIPT_PHRASES.find(([, pattern]) => pattern.test(plain))?.[0];
  if (said !== undefined && said !== 'in_stock') return said;
  if (said === 'in_stock' && DENIED.test(words)) return 'out_of_stock';
  const few = FEW_LEFT.exec(words);
  if (few !== null) return Number(few[1] ?? few[2]) === 0 ? 'out_of_stock' : 'limited';
  return said;
}
