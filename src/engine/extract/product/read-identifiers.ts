/** The numbers a product goes by: the shop's own, the world's, the maker's. */
import type { FieldSource } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { cleanLine } from '../values/clean-value.ts';
import { readGtin } from '../values/read-gtin.ts';
import { LONGEST_CODE, type MutableFields, note } from './found-fields.ts';
import { childItems, firstText, texts } from './item-values.ts';

const GTIN_NAMES = ['gtin13', 'gtin14', 'gtin12', 'gtin8', 'gtin', 'isbn', 'ean', 'ean13', 'upc', 'barcode'];
const GTIN_KINDS = /^(?:gtin-?\d{0,2}|ean-?\d{0,2}|upc(?:-?a)?|isbn-?\d{0,2}|jan|barcode)$/i;

interface Code {
  readonly value: string;
  readonly text: string;
}

/** `others` are asked where the product itself is silent: its only offer. */
export function noteIdentifiers(
  fields: MutableFields,
  product: StructuredItem,
  others: readonly StructuredItem[],
  source: FieldSource,
): void {
  const items = [product, ...others];
  const sku = first(items, skuOf);
  note(fields, 'sku', sku?.value, source, sku?.text);
  const gtin = first(items, gtinOf);
  note(fields, 'gtin', gtin?.value, source, gtin?.text);
  const mpn = first(items, (item) => codeOf(firstText(item, 'mpn') ?? identifierOf(item, /^mpn$/i)));
  note(fields, 'mpn', mpn?.value, source, mpn?.text);
}

function first(
  items: readonly StructuredItem[],
  read: (item: StructuredItem) => Code | undefined,
): Code | undefined {
  for (const item of items) {
    const code = read(item);
    if (code !== undefined) return code;
  }
  return undefined;
}

export function skuOf(item: StructuredItem): Code | undefined {
  const own = codeOf(firstText(item, 'sku') ?? identifierOf(item, /^sku$/i));
  if (own !== undefined) return own;
  const id = firstText(item, 'productID');
  if (id === undefined || /^(?:isbn|gtin\d*|ean|upc|mpn)\s*:/i.test(id)) return undefined;
  return codeOf(id.replace(/^sku\s*:\s*/i, ''));
}

export function gtinOf(item: StructuredItem): Code | undefined {
  const said = GTIN_NAMES.flatMap((name) => texts(item, name));
  const byId = identifierOf(item, GTIN_KINDS);
  if (byId !== undefined) said.push(byId);
  for (const id of texts(item, 'productID')) if (/^(?:isbn|gtin\d*|ean|upc)\s*:/i.test(id)) said.push(id);
  for (const text of said) {
    const value = readGtin(text);
    if (value !== undefined) return { value, text };
  }
  return undefined;
}

export function codeOf(text: string | undefined): Code | undefined {
  if (text === undefined || /[{}<>]|^(?:null|undefined|n\/a|none|na|-+|0)$/i.test(text.trim()))
    return undefined;
  const value = cleanLine(text, LONGEST_CODE);
  return value === '' ? undefined : { value, text };
}

/** `identifier` as a PropertyValue that says which it is. */
function identifierOf(item: StructuredItem, kind: RegExp): string | undefined {
  for (const name of ['identifier', 'productID', 'additionalProperty']) {
    for (const each of childItems(item, name).slice(0, 50)) {
      const said = firstText(each, 'propertyID') ?? firstText(each, 'name');
      if (said !== undefined && kind.test(said.trim())) return firstText(each, 'value');
    }
  }
  return undefined;
}
