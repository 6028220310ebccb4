import { normalizePercentEncoding } from './percent-encoding.ts';
import { isSessionParameter } from './session-ids.ts';
import { isTrackingParameter } from './tracking-parameters.ts';

/**
 * The key form of a query (without its `?`): tracking and session parameters and empty pieces dropped, the rest
 * sorted by name. Parameters that repeat a name keep their order, since `?sort=price&sort=name` need not be
 * `?sort=name&sort=price`. Nothing is re-encoded: `a` differs from `a=`, and `+` from `%20`.
 *
 * Only `&` separates parameters; a `;` is data, as in the URL standard.
 */
export function normalizeQuery(query: string): string {
  const text = normalizePercentEncoding(query);
  if (!text.includes('&')) return isKept(text, readName(text)) ? text : '';

  const kept: Array<{ readonly name: string; readonly pair: string }> = [];
  let isSorted = true;
  let previousName = '';
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const name = readName(pair);
    if (!isKept(pair, name)) continue;
    if (name < previousName) isSorted = false;
    previousName = name;
    kept.push({ name, pair });
  }
  // The text is ASCII, so comparing code units compares bytes; the sort is stable.
  if (!isSorted) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return kept.map(({ pair }) => pair).join('&');
}

function readName(pair: string): string {
  const equalsAt = pair.indexOf('=');
  return equalsAt === -1 ? pair : pair.slice(0, equalsAt);
}

function isKept(pair: string, name: string): boolean {
  return !isTrackingParameter(name) && !isSessionParameter(name, pair.slice(name.length + 1));
}
