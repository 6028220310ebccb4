/** What `--only products` has measured, for people. */
import { alignTable, bold, count, dim, listRatios } from './report-text.mjs';

export function renderProducts({ count: products, batch, kinds }) {
  return [
    bold(`Products: ${count(products)} written in batches of ${batch}, and by a plain insert-or-update`),
    alignTable([
      ['', 'forager/s', 'by hand/s', '× by hand'],
      ...kinds.map(({ kind, perSecond, peerPerSecond, ratio, ratios }) => [
        kind,
        count(perSecond),
        count(peerPerSecond),
        listRatios(ratio, ratios),
      ]),
    ]),
    dim(
      'Forager compares with what is known, keeps the history of prices, the sources of each field and the index of the search.',
    ),
  ].join('\n\n');
}
