/** What `--only extraction` has measured, for people. */
import { alignTable, bold, count } from './report-text.mjs';

export function renderExtraction(sets) {
  const rows = sets.map((set) => [
    set.name,
    count(set.pages),
    set.kilobytes.toFixed(0),
    count(set.products),
    count(set.parsePagesPerSecond),
    count(set.bothPagesPerSecond),
    set.ratio.toFixed(2),
    `${Math.min(...set.ratios).toFixed(2)}–${Math.max(...set.ratios).toFixed(2)}`,
  ]);
  return [
    bold('Extraction: links and text alone, and with the generic parser'),
    alignTable([
      ['', 'pages', 'KB', 'products', 'pages/CPU-s alone', 'pages/CPU-s with', 'cost ×', 'turns'],
      ...rows,
    ]),
  ].join('\n');
}
