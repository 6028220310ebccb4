/**
 * A guess at the encoding of bytes that declare none, or lie: byte patterns of the legacy encodings still
 * met on the web, and the page's own `lang` where bytes alone do not tell. Cheap rather than clever: one
 * walk over a sample, and only for pages that are not UTF-8.
 */

const SAMPLE_BYTES = 65_536;

/** What a page in this language, not in UTF-8, is most likely in; multi-byte scripts tell by their bytes. */
const byLanguage: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk'].map((tag) => [tag, 'windows-1251'])),
  ...Object.fromEntries(['ar', 'fa', 'ur'].map((tag) => [tag, 'windows-1256'])),
  ...Object.fromEntries(['lt', 'lv', 'et'].map((tag) => [tag, 'windows-1257'])),
  el: 'windows-1253',
  tr: 'windows-1254',
  he: 'windows-1255',
  vi: 'windows-1258',
  th: 'windows-874',
};
const centralEuropean = new Set(['pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'ro', 'bs', 'sq']);

export function guessEncoding(body: Buffer): string {
  const sample = body.subarray(0, SAMPLE_BYTES);
  const language = readLang(sample);
  const multiByte = guessMultiByte(sample, language);
  if (multiByte !== undefined) return multiByte;
  const byLang = byLanguage[language];
  if (byLang !== undefined) return byLang;
  return guessSingleByte(sample, language);
}

/** How much of the bytes is well-formed UTF-8 beyond ASCII, and how much is not. */
export function countUtf8(body: Buffer): { sequences: number; errors: number } {
  let sequences = 0;
  let errors = 0;
  let at = 0;
  while (at < body.length) {
    const byte = body[at++] as number;
    if (byte < 0x80) continue;
    const trail =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    let found = 0;
    while (found < trail && at < body.length && ((body[at] as number) & 0xc0) === 0x80) {
      at++;
      found++;
    }
    if (trail > 0 && found === trail) sequences++;
    else errors++;
  }
  return { sequences, errors };
}

function readLang(sample: Buffer): string {
  const match = /<html[^>]{0,500}?\slang\s*=\s*["']?([a-z]{2,3})\b/i.exec(sample.toString('latin1', 0, 2048));
  return match?.[1]?.toLowerCase() ?? '';
}

interface PairCounts {
  pairs: number;
  broken: number;
  common: number;
}

/** Walks the sample as an encoding of lead and trail bytes; `common` says which pairs its texts are made of. */
function countPairs(
  sample: Buffer,
  isLead: (byte: number) => boolean,
  isTrail: (byte: number) => boolean,
  isCommon: (lead: number, trail: number) => boolean,
): PairCounts {
  const counts = { pairs: 0, broken: 0, common: 0 };
  for (let at = 0; at < sample.length; at++) {
    const lead = sample[at] as number;
    if (lead < 0x80) continue;
    const trail = at + 1 < sample.length ? (sample[at + 1] as number) : 0;
    if (!isLead(lead) || !isTrail(trail)) {
      if (at + 1 < sample.length) counts.broken++;
      continue;
    }
    counts.pairs++;
    if (isCommon(lead, trail)) counts.common++;
    at++;
  }
  return counts;
}

function guessMultiByte(sample: Buffer, language: string): string | undefined {
  const isEucByte = (byte: number) => byte >= 0xa1 && byte <= 0xfe;
  const kana = countPairs(sample, isEucByte, isEucByte, (lead) => lead === 0xa4 || lead === 0xa5);
  if (isPlausible(kana)) {
    if (kana.common * 6 > kana.pairs || language === 'ja') return 'euc-jp';
    const hangul = countPairs(sample, isEucByte, isEucByte, (lead) => lead >= 0xb0 && lead <= 0xc8);
    if (hangul.common * 10 > hangul.pairs * 9 || language === 'ko') return 'euc-kr';
    const hanzi = countPairs(
      sample,
      isEucByte,
      isEucByte,
      (lead) => lead <= 0xa3 || (lead >= 0xb0 && lead <= 0xd7),
    );
    // Without a word from the page, letters of a single-byte alphabet could pair up like this too.
    if (hanzi.common * 4 > hanzi.pairs * 3 && (language === 'zh' || hasSpread(sample))) return 'gb18030';
  }
  const shiftJis = countPairs(
    sample,
    (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
    (byte) => byte >= 0x40 && byte <= 0xfc && byte !== 0x7f,
    (lead) => lead >= 0x81 && lead <= 0x83,
  );
  if (isPlausible(shiftJis) && shiftJis.common * 4 > shiftJis.pairs) return 'shift_jis';
  const big5 = countPairs(
    sample,
    (byte) => byte >= 0xa1 && byte <= 0xf9,
    (byte) => (byte >= 0x40 && byte <= 0x7e) || isEucByte(byte),
    (lead) => lead === 0xa1 || (lead >= 0xa4 && lead <= 0xc6),
  );
  if (isPlausible(big5) && big5.common * 4 > big5.pairs * 3 && language !== 'ru') return 'big5';
  return undefined;
}

function isPlausible(counts: PairCounts): boolean {
  return counts.pairs >= 4 && counts.broken * 20 <= counts.pairs;
}

/** Chinese uses hundreds of lead-trail pairs; an alphabet of thirty letters in pairs uses few leads. */
function hasSpread(sample: Buffer): boolean {
  let isLead = true;
  let below = 0;
  let total = 0;
  for (const byte of sample) {
    if (byte < 0x80) {
      isLead = true;
      continue;
    }
    if (isLead) {
      total++;
      if (byte < 0xd8 && byte >= 0xb0) below++;
    }
    isLead = !isLead;
  }
  return below * 10 > total * 6;
}

function guessSingleByte(sample: Buffer, language: string): string {
  let runs = 0;
  let highBytes = 0;
  let upperRows = 0;
  let lowerRows = 0;
  let windowsLatin2 = 0;
  let isoLatin2 = 0;
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] as number;
    if (byte < 0x80) continue;
    const before = at > 0 ? (sample[at - 1] as number) : 0;
    const after = at + 1 < sample.length ? (sample[at + 1] as number) : 0;
    highBytes++;
    if (before < 0x80) runs++;
    if (byte >= 0xe0) lowerRows++;
    else if (byte >= 0xc0) upperRows++;
    if (!isLetter(before) && !isLetter(after)) continue;
    if (isOneOf(byte, [0x8a, 0x8c, 0x8d, 0x8f, 0x9c, 0x9d, 0x9f, 0xb9, 0xbe])) windowsLatin2++;
    if (isOneOf(byte, [0xa1, 0xa6, 0xac, 0xb1, 0xb6, 0xb9, 0xbc, 0xbe, 0xbf, 0xb3])) isoLatin2++;
  }
  // Cyrillic words are runs of high bytes; in Latin ones a high byte stands alone among ASCII letters.
  if (highBytes >= runs * 2.5 && (upperRows + lowerRows) * 10 > highBytes * 8) {
    return lowerRows >= upperRows ? 'windows-1251' : 'koi8-r';
  }
  if (centralEuropean.has(language)) return windowsLatin2 > isoLatin2 ? 'windows-1250' : 'iso-8859-2';
  return isoLatin2 * 5 > highBytes ? 'iso-8859-2' : 'windows-1252';
}

function isOneOf(byte: number, set: readonly number[]): boolean {
  return set.includes(byte);
}

function isLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}
