/** What `--only proxies` has measured, for people. */
import { alignTable, bold, count, listRatios } from './report-text.mjs';

export function renderProxies({ pages, directly, through, ratio, ratios }) {
  const row = (name, figures) => [
    name,
    count(figures.pages),
    count(figures.pagesPerSecond),
    figures.cpuSecondsPer1000.toFixed(3),
    figures.databaseCpuSecondsPer1000.toFixed(3),
  ];
  const parts = [
    bold(`Proxies: ${count(pages)} pages directly, and through a squid on the same machine`),
    alignTable([
      ['', 'pages', 'pages/s', 'CPU-s/1000', 'database besides'],
      row('directly', directly),
      row('through squid', through),
    ]),
    `CPU of the Forager process for a page, through ÷ directly: ${listRatios(ratio, ratios)}`,
  ];
  return parts.join('\n');
}
