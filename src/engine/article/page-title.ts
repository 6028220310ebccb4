/** For comparing titles: letters and digits in lower case, one space between words. */
export function normalizeTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const SEPARATOR = /\s+[|·•»›~—–-]\s+|\s*[|»›]\s*|\s+::\s+|:\s+(?=[^:]+$)/g;

/**
 * The document's title without the site's name. A heading of the page that is part of the title settles it;
 * otherwise the site's name, if known, or the shorter end is cut at a separator.
 */
export function cleanTitle(
  documentTitle: string,
  headings: readonly string[],
  siteName: string | undefined,
): string {
  const whole = documentTitle.replace(/\s+/g, ' ').trim();
  const wanted = normalizeTitle(whole);
  for (const heading of headings) {
    const candidate = normalizeTitle(heading);
    if (candidate.length >= 8 && wanted.includes(candidate)) return heading.replace(/\s+/g, ' ').trim();
  }
  const site = siteName === undefined ? '' : normalizeTitle(siteName);
  const cuts = [...whole.matchAll(SEPARATOR)];
  const last = cuts.at(-1);
  const first = cuts[0];
  if (last === undefined || first === undefined || last.index === undefined) return whole;
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
