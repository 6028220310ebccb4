/**
 * One product out of what several sources say about it.
 *
 * Sources come in the order in which they are believed, and for each field the first that has it decides. Another one
 * that says the same makes it surer, one that says something else less sure; no source is ever outvoted. What belongs
 * to the price (currency, upper end, list price) comes from where the price comes from: only a currency that is missing
 * there is taken from a source that has the same price, or none.
 */
import type { FieldName, FoundField, FoundFields } from '../product-fields.ts';
import { comparePrices, isAbove, WELL_FORMED_PRICE } from './compare-prices.ts';
import type { MutableFields } from './found-fields.ts';
import { compareNames } from './same-text.ts';

const AGREEMENT = 0.04;
const DISAGREEMENT = 0.15;
const SUREST = 0.99;
const LEAST_SURE = 0.2;

const PLAIN_FIELDS = [
  'name',
  'description',
  'availability',
  'rating',
  'reviewCount',
  'brand',
  'category',
  'sku',
  'gtin',
  'mpn',
  'images',
  'variants',
] as const satisfies readonly FieldName[];
/** Texts and lists differ in how they are cut, which says nothing about the thing. */
const NOT_COMPARED: ReadonlySet<FieldName> = new Set([
  'description',
  'category',
  'images',
  'variants',
  'reviewCount',
]);

export function mergeFields(sources: readonly FoundFields[]): FoundFields {
  const merged: MutableFields = {};
  for (const name of PLAIN_FIELDS) {
    const found: FoundField<unknown>[] = [];
    for (const { [name]: field } of sources) if (field !== undefined) found.push(field);
    const [first] = found;
    if (first === undefined) continue;
    const isAlone = found.length === 1 || NOT_COMPARED.has(name);
    (merged as Record<string, unknown>)[name] = isAlone ? first : weigh(first, found.slice(1), name);
  }
  mergePrices(merged, sources);
  return merged;
}

function mergePrices(merged: MutableFields, sources: readonly FoundFields[]): void {
  const any = sources.filter((fields) => fields.price !== undefined);
  const wellFormed = any.filter((fields) => WELL_FORMED_PRICE.test(fields.price?.value ?? ''));
  const priced = wellFormed.length > 0 ? wellFormed : any.slice(0, 1);
  // Nothing is what a template writes that does not know, and some write what is no price: others are believed first.
  const leading = priced.find(({ price }) => price?.value !== '0') ?? priced[0];
  if (leading?.price === undefined) {
    const told = sources.find((fields) => fields.currency !== undefined)?.currency;
    if (told !== undefined) merged.currency = told;
    return;
  }
  const { price } = leading;
  const others = priced.filter((fields) => fields !== leading).flatMap(({ price: other }) => other ?? []);
  merged.price = weigh(price, others, 'price');
  const currency = leading.currency ?? currencyFor(price.value, sources);
  if (currency !== undefined) {
    const said = sources.filter((fields) => fields !== leading).flatMap((fields) => fields.currency ?? []);
    merged.currency = weigh(
      currency,
      said.filter((each) => each !== currency),
      'currency',
    );
  }
  if (leading.priceHigh !== undefined) merged.priceHigh = leading.priceHigh;
  const agreeing = sources.filter(
    ({ currency: other }) => other === undefined || other.value === currency?.value,
  );
  const list = leading.listPrice ?? agreeing.find(({ listPrice }) => listPrice !== undefined)?.listPrice;
  if (list !== undefined && isAbove(list.value, leading.priceHigh?.value ?? price.value))
    merged.listPrice = list;
}

function currencyFor(price: string, sources: readonly FoundFields[]): FoundField<string> | undefined {
  const fitting = sources.find(
    (fields) =>
      fields.currency !== undefined &&
      (fields.price === undefined || comparePrices(fields.price.value, price) === 0),
  );
  return fitting?.currency;
}

function weigh<T>(
  first: FoundField<T>,
  others: readonly FoundField<unknown>[],
  name: FieldName,
): FoundField<T> {
  let { confidence } = first;
  for (const other of others) {
    if (isSame(first.value, other.value, name)) confidence += AGREEMENT;
    // One that is not sure itself has little to say against it.
    else confidence -= DISAGREEMENT * Math.min(1, other.confidence / first.confidence);
  }
  const bounded = Math.max(Math.min(LEAST_SURE, first.confidence), Math.min(SUREST, confidence));
  return { ...first, confidence: Math.round(bounded * 100) / 100 };
}

function isSame(one: unknown, other: unknown, name: FieldName): boolean {
  if (name === 'name' || name === 'brand') return compareNames(String(one), String(other)) !== undefined;
  if (name === 'price') return comparePrices(String(one), String(other)) === 0;
  if (name === 'gtin') return String(one).padStart(14, '0') === String(other).padStart(14, '0');
  return one === other;
}

/** Do two sources speak of one thing? By number, or by name; one that has neither is not another thing. */
export function isSameProduct(one: FoundFields, other: FoundFields): boolean {
  for (const name of ['gtin', 'sku', 'mpn'] as const) {
    const [a, b] = [one[name]?.value, other[name]?.value];
    if (a !== undefined && a === b) return true;
  }
  if (one.name === undefined || other.name === undefined) return true;
  return areAlike(one.name.value, other.name.value);
}

/** At least half of the words of the shorter name are in the other one. */
function areAlike(one: string, other: string): boolean {
  if (compareNames(one, other) !== undefined) return true;
  const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const [short, long] = [words(one), words(other)].sort((a, b) => a.size - b.size) as [
    Set<string>,
    Set<string>,
  ];
  const shared = [...short].filter((word) => long.has(word)).length;
  return short.size > 0 && shared * 2 >= short.size;
}
