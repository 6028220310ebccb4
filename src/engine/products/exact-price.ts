/**
 * Prices are decimal digits from the bot to the database and back: never sums, never binary fractions. A number is
 * taken for the digits it is written with (99.99 is 99.99); what is finer than a millionth is rounded, in decimal.
 */
const WRITTEN = /^\+?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const DECIMALS = 6;
const MOST_WHOLE_DIGITS = 13;

/** Without needless zeros, such as 99.9 for 099.900; undefined: no price, or more digits than are kept. */
export function exactPrice(given: string | number): string | undefined {
  const match = WRITTEN.exec(String(given).trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const millionths = toMillionths(whole + fraction, Number(exponent) - fraction.length + DECIMALS);
  if (millionths === undefined) return undefined;
  const digits = millionths.toString().padStart(DECIMALS + 1, '0');
  const wholeDigits = digits.slice(0, -DECIMALS);
  if (wholeDigits.length > MOST_WHOLE_DIGITS) return undefined;
  const rest = digits.slice(-DECIMALS).replace(/0+$/, '');
  return rest === '' ? wholeDigits : `${wholeDigits}.${rest}`;
}

/** The digits times ten to the `shift`, halves rounded up. */
function toMillionths(digits: string, shift: number): bigint | undefined {
  const bare = digits.replace(/^0+(?=\d)/, '');
  if (bare === '0') return 0n;
  if (bare.length + shift > MOST_WHOLE_DIGITS + DECIMALS) return undefined;
  if (shift >= 0) return BigInt(bare + '0'.repeat(shift));
  const kept = bare.slice(0, shift);
  const isUp = bare.length + shift >= 0 && (bare.at(shift) ?? '0') >= '5';
  return BigInt(kept === '' ? '0' : kept) + (isUp ? 1n : 0n);
}
