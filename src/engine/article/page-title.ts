/** For comparing titles: letters and digits in lower case, one space between words. */
export function normalizeTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const SEPARATOR = /\s+[|·•»›~—–-]\s+|\s*[|»›]\s*|\s+::\s+|:\s+(?=[^:]+$)/g;

/**
 * The document's title without the site's name. The longest heading of the page that is part of the title
 * settles it; otherwise the site's name, if known, or the shorter end is cut at a separator.
 */
export function cleanTitle(
  documentTitle: string,
  headings: readonly string[],
  siteName: string | undefined,
): string {
  const whole = documentTitle.replace(/\s+/g, ' ').trim();
  const site = siteName === undefined ? '' : normalizeTitle(siteName);
  return matchHeading(whole, headings, site) ?? cutSiteName(whole, site);
}

/**
 * Editors shorten the title for search engines; the page's only first-level heading is the headline itself
 * if it shares a good part of its words with the title.
 */
export function preferHeadline(
  title: string,
  firstHeadings: readonly string[],
  siteName: string | undefined,
): string {
  const headline = firstHeadings[0];
  if (headline === undefined || firstHeadings.length > 1 || wordsOf(headline) < 3) return title;
  if (siteName !== undefined && normalizeTitle(headline) === normalizeTitle(siteName)) return title;
  const words = new Set(normalizeTitle(title).split(' '));
  const own = normalizeTitle(headline).split(' ');
  const shared = own.filter((word) => words.has(word)).length;
  return shared >= Math.min(own.length, words.size) * 0.34 ? headline.replace(/\s+/g, ' ').trim() : title;
}

function matchHeading(whole: string, headings: readonly string[], site: string): string | undefined {
  const wanted = ` ${normalizeTitle(whole)} `;
  const parts = new Set(whole.split(SEPARATOR).map(normalizeTitle));
  let best: string | undefined;
  let longest = 0;
  for (const heading of headings) {
    const candidate = normalizeTitle(heading);
    if (candidate === site || candidate.length <= longest) continue;
    const isPart = parts.has(candidate) || (candidate.length >= 8 && wanted.includes(` ${candidate} `));
    if (!isPart) continue;
    best = heading.replace(/\s+/g, ' ').trim();
    longest = candidate.length;
  }
  return best;
}

function cutSiteName(whole: string, site: string): string {
  const cuts = [...whole.matchAll(SEPARATOR)];
  const last = cuts.at(-1);
  const first = cuts[0];
  if (last === undefined || first === undefined) return whole;
  const head = whole.slice(0, last.index).trim();
  const tail = whole.slice(last.index + last[0].length).trim();
  if (site !== '' && normalizeTitle(tail) === site) return head;
  if (site !== '' && normalizeTitle(whole.slice(0, first.index)) === site) {
    return whole.slice(first.index + first[0].length).trim();
  }
  if (last[0].startsWith(':')) return whole;
  return wordsOf(head) >= 3 || wordsOf(head) > wordsOf(tail) ? head : whole;
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
