/** What `--only search` has measured, for people. */
import { alignTable, bold, count, dim } from './report-text.mjs';

export function renderSearch({ isQuick, products, turns, rows }) {
  const ms = (value) => (value === undefined ? '–' : value.toFixed(1));
  return [
    ...(isQuick ? ['! Small numbers (--quick): these figures say little.'] : []),
    bold(`Search: ${count(products)} products, ${count(turns)} searches of each kind, milliseconds`),
    alignTable([
      ['', 'page', 'p50', 'p99', 'by hand p50', 'p99', '× faster'],
      ...rows.map(({ name, page, forager, peer, ratio }) => [
        name,
        String(page),
        ms(forager.p50),
        ms(forager.p99),
        ms(peer?.p50),
        ms(peer?.p99),
        ratio === undefined ? '–' : ratio.toFixed(1),
      ]),
    ]),
    dim(
      'Forager also counts hits and facets (first page), and makes snippets; by hand it is the rows alone.',
    ),
  ].join('\n\n');
}
