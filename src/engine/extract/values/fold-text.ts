/** Text with the digits, spaces and marks of all scripts written in one way, so that prices are looked for once. */

/** The zero of each script's ten digits. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10,
];
const DIGITS: ReadonlyMap<string, string> = new Map(
  ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, value): [string, string] => [
      String.fromCharCode(zero + value),
      String(value),
    ]),
  ),
);
const FOREIGN_DIGIT =
  /[\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819\uff10-\uff19]/g;
const SUPERSCRIPTS = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
const SUPERSCRIPT = /[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]/;
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0000-\u0008]/g;

/** The decimal sign of Arabic: never one of thousands. */
export const CERTAIN_DECIMAL = '\u066b';
/** Stands between a number and its raised cents: "12⁹⁹" is 12.99, and never 1299. */
export const RAISED = '\u0001';

/** Anything but plain characters with single spaces between them. */
const TO_FOLD = /[^\x20-\x5f\x61-\x7e]| {2}/;

/** Runs of spaces become one space, or one line break where they have one. */
export function foldText(text: string): string {
  if (!TO_FOLD.test(text)) return text.trim();
  let folded = text
    .replace(UNSEEN, '')
    .replace(/\s+/g, (run) => (/[\n\r\u2028\u2029]/.test(run) ? '\n' : ' '));
  if (!isPlain(folded)) {
    folded = folded
      .replace(FOREIGN_DIGIT, (digit) => DIGITS.get(digit) ?? digit)
      .replace(/[\u2019\u02bc\u2032\u00b4`\u055a\uff07]/g, "'")
      .replaceAll('\u066c', "'")
      .replaceAll('\u060c', ',')
      .replaceAll('\uff0c', ',')
      .replaceAll('\uff0e', '.')
      .replaceAll('\uff05', '%')
      .replaceAll('\u066a', '%')
      .replaceAll('\uff1a', ':')
      .replace(/[\u2010-\u2015\u2212\uff0d]/g, '-')
      .replace(/[\u301c\uff5e]/g, '~');
    folded = foldRaised(folded);
  }
  return folded.trim();
}

function foldRaised(text: string): string {
  if (!SUPERSCRIPT.test(text)) return text;
  return text.replace(
    /(\d)([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{2})(?![\u2070\u00b9\u00b2\u00b3\u2074-\u2079])/g,
    (_, before: string, raised: string) =>
      before + RAISED + [...raised].map((digit) => SUPERSCRIPTS.indexOf(digit)).join(''),
  );
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7e || text[index] === '`') return false;
  }
  return true;
}
