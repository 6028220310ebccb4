/** The results for people: aligned columns, one idea a table. */
import { renderBots } from './report-bots.mjs';
import { renderExtraction } from './report-extraction.mjs';
import { renderProducts } from './report-products.mjs';
import { renderProxies } from './report-proxies.mjs';
import { renderSearch } from './report-search.mjs';
import { renderTasks } from './report-tasks.mjs';
import { alignTable, bold, count, dim, listRatios, milliseconds, percent } from './report-text.mjs';

export function renderReport(results) {
  const parts = [renderMachine(results.machine)];
  if (results.capacity !== undefined) parts.push(renderCapacity(results.capacity));
  const rows = [
    ['Forager, bodies kept', results.forager],
    ['Forager, --no-bodies', results.foragerNoBodies],
    ['Crawlee Cheerio, persisted', results.crawlee],
  ].filter(([, figures]) => figures !== undefined);
  if (rows.length > 0) parts.push(renderThroughput(rows, results));
  if (results.politeness !== undefined) parts.push(renderPoliteness(results.politeness));
  if (results.crash !== undefined) parts.push(renderCrash(results.crash));
  if (results.fleet !== undefined) parts.push(renderFleet(results.fleet));
  if (results.memory !== undefined) parts.push(renderMemory(results.memory));
  if (results.claim !== undefined) parts.push(renderClaim(results.claim));
  if (results.commit !== undefined) parts.push(renderCommit(results.commit));
  if (results.server !== undefined) parts.push(renderServer(results.server));
  if (results.tasks !== undefined) parts.push(renderTasks(results.tasks));
  if (results.bots !== undefined) parts.push(renderBots(results.bots));
  if (results.products !== undefined) parts.push(renderProducts(results.products));
  if (results.search !== undefined) parts.push(renderSearch(results.search));
  if (results.extraction !== undefined) parts.push(renderExtraction(results.extraction));
  if (results.proxies !== undefined) parts.push(renderProxies(results.proxies));
  return `${parts.join('\n\n')}\n`;
}

function renderMachine({ cpu, cores, memoryGb, node, os }) {
  return dim(`${cpu}, ${cores} cores, ${memoryGb} GB; ${os}; Node ${node}`);
}

function renderCapacity({ pagesPerSecond }) {
  return `The site alone answers ${count(pagesPerSecond)} pages/s.`;
}

function renderThroughput(rows, { crawlee, options }) {
  const table = [
    ['', 'pages', 'pages/s', 'CPU-s/1000', 'of it database', 'peak MB', 'whole run', '× Crawlee'],
    ...rows.map(([name, figures]) => [
      name,
      count(figures.pages),
      count(figures.pagesPerSecond),
      figures.cpuSecondsPer1000.toFixed(2),
      figures === crawlee ? '–' : figures.databaseCpuSecondsPer1000.toFixed(2),
      count(figures.peakMb),
      `${figures.wallSeconds.toFixed(1)} s`,
      crawlee === undefined ? '–' : (figures.pagesPerSecond / crawlee.pagesPerSecond).toFixed(1),
    ]),
  ];
  const notes = rows.flatMap(([name, figures]) => noteOddities(name, figures));
  const { shape, repeat } = options;
  const title = `Throughput: ${shape.kb} KB pages with ${shape.links} links on ${shape.hosts} hosts, no delay`;
  const footnote = repeat > 1 ? dim(`Medians of ${repeat} runs.`) : dim('One run each.');
  return [bold(title), alignTable(table), ...notes, footnote].join('\n');
}

/** A rate means little when the crawl left pages out. */
function noteOddities(name, { pages, expectedPages, repeatedFetches, reportedPages }) {
  const notes = [];
  if (pages !== expectedPages) notes.push(`! ${name} fetched ${pages} of ${expectedPages} pages`);
  if (repeatedFetches > 0) notes.push(`! ${name} fetched ${repeatedFetches} pages more than once`);
  if (reportedPages !== undefined && reportedPages < pages) {
    notes.push(`! ${name} says it kept ${reportedPages} pages, the server sent ${pages}`);
  }
  return notes;
}

function renderPoliteness(figures) {
  return [
    bold(
      `Politeness: forager ${figures.command}, ${figures.hosts} hosts, ${figures.delaySeconds} s between requests to one host, ${figures.kb} KB pages`,
    ),
    alignTable([
      ['rate achieved, of the rate permitted', percent(figures.achievedRatio)],
      ['the same for the slowest host', percent(figures.worstHostRatio)],
      ['hosts reached', `${figures.hostsReached} of ${figures.hosts}`],
      ['gaps measured', count(figures.gapCount)],
      ['shortest gap', `${figures.shortestGapMs.toFixed(1)} ms`],
      [
        'gap, 1st / 50th / 99th percentile',
        `${[figures.gapPercentile1Ms, figures.gapMedianMs, figures.gapPercentile99Ms].map((gap) => gap.toFixed(1)).join(' / ')} ms`,
      ],
      ['gaps read as shorter than the delay', count(figures.gapsBelowDelay)],
      ['of them not for a pause of the server', count(figures.gapsBelowDelayForCertain)],
      ['longest pause of the server itself', `${figures.serverLagMs.toFixed(1)} ms`],
      ['processor: Forager / database / site', shares(figures, 'forager')],
      ['peak memory', `${count(figures.peakMb)} MB`],
    ]),
    ...figures.tooShort.slice(0, 5).map(describeShortGap),
  ].join('\n');
}

function describeShortGap({ host, gapMs, atSeconds, before, after }) {
  return `! ${gapMs.toFixed(1)} ms on host ${host} at ${atSeconds.toFixed(1)} s: ${before}, then ${after}`;
}

function renderCrash(figures) {
  return [
    bold(`Crash: ${figures.kills} SIGKILLs in one crawl of ${count(figures.expectedPages)} pages`),
    alignTable([
      ['pages lost', count(figures.lost)],
      ['pages stored twice', count(figures.storedTwice)],
      ['pages committed twice', count(figures.committedTwice)],
      ['pages fetched again after their commit', count(figures.refetchedAfterCommit)],
      ['pages fetched again in all', count(figures.refetched)],
      ['pages in flight at the kills', count(figures.inFlightAtKills)],
    ]),
    figures.isHeld ? 'All promises held.' : '! A promise was broken.',
  ].join('\n');
}

function renderFleet({ one, two, ...figures }) {
  const table = [
    [
      '',
      'pages',
      'pages/s',
      'in the middle',
      'CPU-s/1000',
      'of it database',
      'busiest worker',
      'site',
      'peak MB',
    ],
    ...[
      ['one worker', one],
      ['two workers', two],
    ].map(([name, run]) => [
      name,
      count(run.pages),
      count(run.pagesPerSecond),
      count(run.steadyPagesPerSecond),
      run.cpuSecondsPer1000.toFixed(2),
      run.databaseCpuSecondsPer1000.toFixed(2),
      percent(run.busiestWorker),
      percent(run.siteShare),
      count(run.peakMb),
    ]),
  ];
  const notes = [
    ['one worker', one],
    ['two workers', two],
  ].flatMap(([name, run]) => noteOddities(name, run));
  return [
    bold(
      `Fleet: ${figures.hosts} hosts that answer after ${figures.latencyMs} ms, ${figures.inFlight} requests and ${figures.domainsHeld} domains at most for each worker`,
    ),
    alignTable(table),
    ...notes,
    `Two workers reach ${listRatios(figures.ratio, figures.ratios)} × one; in the middle, between a tenth and nine tenths of the pages, ${listRatios(figures.steadyRatio, figures.steadyRatios)}.`,
  ].join('\n');
}

function renderMemory(figures) {
  return [
    bold(
      `Memory: one worker, ${count(figures.hosts)} domains, ${figures.delaySeconds} s between requests to one`,
    ),
    alignTable([
      ['most domains held at once', count(figures.domainsHeld)],
      ['peak memory', `${count(figures.peakMb)} MB`],
      ['domains reached', count(figures.hostsReached)],
      ['pages', `${count(figures.pages)} in ${figures.windowSeconds.toFixed(0)} s`],
      ['processor: worker / database / site', shares(figures, 'worker')],
    ]),
  ].join('\n');
}

function renderClaim({ sizes, cold, warm, plans }) {
  const rows = [...cold.map((row) => ['cold', row]), ...warm.map((row) => ['warm', row])];
  const table = [
    ['', 'domains', 'claims', 'small: median', '95th', 'large: median', '95th', 'large / small'],
    ...rows.map(([name, { limit, small, large, ratio }]) => [
      name,
      String(limit),
      String(small.claims),
      ...[small, large].flatMap(({ medianMs, percentile95Ms }) => [
        milliseconds(medianMs),
        milliseconds(percentile95Ms),
      ]),
      ratio.toFixed(2),
    ]),
  ];
  return [
    bold(`Claim: ${describeSizes(sizes)}`),
    alignTable(table),
    ...sizes.map(({ name }) => `\n${dim(`Plan of a claim of 10, ${name}:`)}\n${plans[name]}`),
  ].join('\n');
}

function renderCommit({ sizes, batchPages, foundUrls, small, large, ratio }) {
  const table = [
    ['', 'batches', 'median', '95th', 'pages/s'],
    ...[
      ['small', small],
      ['large', large],
    ].map(([name, run]) => [
      name,
      String(run.batches),
      milliseconds(run.medianMs),
      milliseconds(run.percentile95Ms),
      count(run.pagesPerSecond),
    ]),
  ];
  return [
    bold(
      `Commit: batches of ${batchPages} pages and ${count(foundUrls)} found URLs; ${describeSizes(sizes)}`,
    ),
    alignTable(table),
    `The median batch takes ${ratio.toFixed(2)} × as long on the large one.`,
  ].join('\n');
}

function renderServer({ size, limit, farPage, lists, throughput, live }) {
  return [
    bold(
      `Server: ${count(size.domains)} domains, ${count(size.urls)} URLs, ${count(size.pages)} pages; lists ${limit} rows at a time`,
    ),
    alignTable([
      ['', 'page 1: median', '99th', `page ${count(farPage)}: median`, '99th', '99th, far / near'],
      ...lists.map(({ name, near, far, ratio }) => [
        name,
        ...[near, far].flatMap((run) => [milliseconds(run.medianMs), milliseconds(run.percentile99Ms)]),
        ratio.toFixed(2),
      ]),
    ]),
    '',
    alignTable([
      ['', 'requests/s', 'of bare'],
      ...throughput.map(({ name, requestsPerSecond, ratio }) => [
        name,
        count(requestsPerSecond),
        ratio.toFixed(2),
      ]),
    ]),
    '',
    `From a change in the database to a subscriber of the server: median ${milliseconds(live.medianMs)}, 99th percentile ${milliseconds(live.percentile99Ms)}, longest ${milliseconds(live.longestMs)} (${live.changes} changes).`,
  ].join('\n');
}

function describeSizes(sizes) {
  return sizes
    .map(({ name, domains, urls }) => `${name} ${count(domains)} domains, ${count(urls)} URLs`)
    .join('; ');
}

/** Of one core each. */
function shares(figures, program) {
  return [figures[`${program}Share`], figures.databaseShare, figures.siteShare].map(percent).join(' / ');
}
