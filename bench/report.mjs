/** The results for people: aligned columns, one idea a table. */

const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const bold = (text) => (isColoured ? `\u001b[1m${text}\u001b[0m` : text);
const dim = (text) => (isColoured ? `\u001b[2m${text}\u001b[0m` : text);

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
    bold(`Politeness: ${figures.hosts} hosts, ${figures.delaySeconds} s between requests to one host`),
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

function alignTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('   '),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

function count(value) {
  return Math.round(value).toLocaleString('en-GB');
}

function percent(ratio) {
  return `${(ratio * 100).toFixed(1)} %`;
}
