/** GTINs as shops write them: EAN, UPC, JAN, ITF-14, and ISBNs, which are EANs of books. */

const MOST_CHARACTERS = 64;
const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
/** Words and addresses that stand before the digits, such as `urn:gtin:`, `EAN: `, `isbn `. */
const PREFIX = /^(?:urn:)?(?:gtin|ean|upc|jan|isbn|itf)[-_ ]?(?:1[0-4]|8|12)?[:=# ]+/i;
const SEPARATORS = /[\s\u00a0.\-\u2010-\u2015\u2212]/g;

/** 8, 12, 13 or 14 digits whose check digit is right; an ISBN of ten becomes one of thirteen. */
export function readGtin(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const bare = text.trim().replace(PREFIX, '').replace(SEPARATORS, '');
  if (/^\d{9}[\dXx]$/.test(bare)) return fromIsbn10(bare);
  if (!/^\d+$/.test(bare) || !LENGTHS.has(bare.length) || /^0+$/.test(bare)) return undefined;
  return checkDigit(bare.slice(0, -1)) === bare.at(-1) ? bare : undefined;
}

function fromIsbn10(isbn: string): string | undefined {
  let sum = 0;
  for (let index = 0; index < 10; index += 1) {
    const character = isbn.charAt(index);
    sum += (10 - index) * (character === 'X' || character === 'x' ? 10 : Number(character));
  }
  if (sum % 11 !== 0 || /^0+$/.test(isbn)) return undefined;
  const body = `978${isbn.slice(0, 9)}`;
  return body + checkDigit(body);
}

/** From the right, digits count three times and once in turn (GS1 General Specifications, 7.9). */
function checkDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) {
    const weight = (body.length - index) % 2 === 1 ? 3 : 1;
    sum += weight * Number(body.charAt(index));
  }
  return String((10 - (sum % 10)) % 10);
}
