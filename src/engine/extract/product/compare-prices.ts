/** Prices are decimal digits: compared as such, without ever being numbers. */

export const WELL_FORMED_PRICE = /^(?:0|[1-9]\d{0,12})(?:\.\d{1,6})?$/;

/** Below zero where the first is lower, as for sort. Both as exactPrice writes them. */
export function comparePrices(one: string, other: string): number {
  const [wholeOne = '', fractionOne = ''] = one.split('.');
  const [wholeOther = '', fractionOther = ''] = other.split('.');
  if (wholeOne.length !== wholeOther.length) return wholeOne.length - wholeOther.length;
  if (wholeOne !== wholeOther) return wholeOne < wholeOther ? -1 : 1;
  const digits = Math.max(fractionOne.length, fractionOther.length);
  const a = fractionOne.padEnd(digits, '0');
  const b = fractionOther.padEnd(digits, '0');
  return a === b ? 0 : a < b ? -1 : 1;
}

export function isAbove(one: string, other: string): boolean {
  return comparePrices(one, other) > 0;
}
