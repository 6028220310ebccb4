/** What `--only bots` has measured, for people. */
import { alignTable, bold, count, dim, listRatios } from './report-text.mjs';

export function renderBots({ isQuick, jobs, turns, domains, bots, direct, overHttp }) {
  const parts = [
    bold(`Bots: ${count(jobs)} jobs of ${domains} domains pulled and handed in, and as many jobs of pg-boss`),
    renderLots('by functions, one connection', direct),
    renderLots(`over HTTP, ${bots} bots at a time; pg-boss by functions, as many at a time`, overHttp),
    dim(`Cycles a second. Medians of ${turns} turns.`),
  ];
  if (isQuick) parts.push('! Small numbers (--quick): these figures say little.');
  return parts.join('\n\n');
}

function renderLots(title, lots) {
  const peers = lots[0]?.peers ?? [];
  return [
    `  ${title}:`,
    alignTable([
      ['at a time', 'forager/s', ...peers.flatMap(({ name }) => [`${name}/s`, `× ${name}`])],
      ...lots.map(({ lot, perSecond, peers: theirs }) => [
        String(lot),
        count(perSecond),
        ...theirs.flatMap((peer) => [count(peer.perSecond), listRatios(peer.ratio, peer.ratios)]),
      ]),
    ]),
  ].join('\n');
}
