/**
 * Hundreds of hosts, one second between two requests to the same one: how much of what the delay permits is
 * used, and whether any two requests came closer than that. Measured where it counts, at the server, over
 * every request, robots.txt and sitemaps included.
 */
import { runMetered } from './accounting.mjs';
import { endAfter } from './end-after.mjs';
import { crawlArgs, prepareDataDir, removeDataDir } from './forager.mjs';
import { startSite } from './start-site.mjs';
import { median, percentile } from './statistics.mjs';
import { withFleet } from './with-fleet.mjs';

const DELAY_SECONDS = 1;
const WARM_UP_SECONDS = 8;
const WINDOW_SECONDS = 30;
const EXAMPLES_KEPT = 20;

export async function benchPoliteness(options, say) {
  const runSeconds = WARM_UP_SECONDS + WINDOW_SECONDS + 2;
  const hosts = options.politeHosts;
  // Half as many again as can be fetched in the time, so that no host runs dry within it.
  const pages = hosts * Math.ceil(runSeconds * 1.5);
  const site = await startSite({ ...options.shape, hosts, pages, urgent: true });
  const command = options.isPoliteWorker ? 'worker' : 'crawl';
  try {
    say(`politeness: ${command}, ${hosts} hosts, ${DELAY_SECONDS} s apart, for ${runSeconds} s`);
    const metered = options.isPoliteWorker ? runWorker : runCrawl;
    const outcome = await metered(site, (child) => endAfter(child, site, runSeconds * 1000));
    const log = await site.readLog();
    if (log.times.length === 0)
      throw new Error(`nothing was requested: ${outcome.stderr.trim().slice(-2000)}`);
    const windowSeconds = (log.times.at(-1) - log.times[0]) / 1000;
    return {
      command,
      delaySeconds: DELAY_SECONDS,
      hosts,
      kb: options.shape.kb,
      links: options.shape.links,
      ...measureLog(log, hosts),
      peakMb: outcome.peakMb,
      /** Of one core. */
      foragerShare: outcome.ownSeconds / windowSeconds,
      databaseShare: outcome.databaseSeconds / windowSeconds,
      siteShare: log.cpuSeconds / windowSeconds,
    };
  } finally {
    await site.stop();
  }
}

async function runCrawl(site, onStart) {
  const dataDir = await prepareDataDir();
  try {
    await site.reset();
    const seeds = site.origins.map((origin) => `${origin}/`);
    const args = crawlArgs({ dataDir, seeds, maxPages: site.pageCount * 2, delaySeconds: DELAY_SECONDS });
    return await runMetered({ args, dataDir, onStart });
  } finally {
    await removeDataDir(dataDir);
  }
}

function runWorker(site, onStart) {
  return withFleet(site, ({ dataDir, worker }) => {
    const command = worker('bench-worker', { FORAGER_DELAY_MS: DELAY_SECONDS * 1000 });
    return runMetered({ ...command, dataDir, onStart });
  });
}

export function measureLog(log, hosts) {
  const requestsByHost = Array.from({ length: hosts }, () => []);
  for (const [index, time] of log.times.entries()) {
    requestsByHost[log.hosts[index]].push({ time, earliest: log.earliest[index], page: log.pages[index] });
  }
  const startedAt = log.times[0];
  const from = startedAt + WARM_UP_SECONDS * 1000;
  const to = from + WINDOW_SECONDS * 1000;
  const permittedPerHost = WINDOW_SECONDS / DELAY_SECONDS;
  const shares = requestsByHost.map(
    (requests) => requests.filter(({ time }) => time >= from && time < to).length / permittedPerHost,
  );
  const gaps = requestsByHost.flatMap((requests, host) =>
    requests.slice(1).map((after, index) => describeGap(host, requests[index], after, startedAt)),
  );
  const lengths = gaps.map(({ gapMs }) => gapMs);
  const tooShort = gaps.filter(({ gapMs }) => gapMs < DELAY_SECONDS * 1000);
  const certain = tooShort.filter(({ longestGapMs }) => longestGapMs < DELAY_SECONDS * 1000);
  return {
    windowSeconds: WINDOW_SECONDS,
    requests: log.times.length,
    achievedRatio: shares.reduce((sum, share) => sum + share, 0) / hosts,
    worstHostRatio: Math.min(...shares),
    hostsReached: requestsByHost.filter((requests) => requests.length > 0).length,
    gapCount: gaps.length,
    shortestGapMs: percentile(lengths, 0),
    gapPercentile1Ms: percentile(lengths, 1),
    gapMedianMs: median(lengths),
    gapPercentile99Ms: percentile(lengths, 99),
    gapsBelowDelay: tooShort.length,
    /** Those that no pause of the server itself can explain. */
    gapsBelowDelayForCertain: certain.length,
    tooShort: certain.sort((one, other) => one.gapMs - other.gapMs).slice(0, EXAMPLES_KEPT),
    serverLagMs: log.longestLagMs,
  };
}

function describeGap(host, before, after, startedAt) {
  return {
    host,
    gapMs: after.time - before.time,
    /** As long as it may have been, had the server read the first request the moment it came. */
    longestGapMs: after.time - before.earliest,
    atSeconds: (after.time - startedAt) / 1000,
    before: nameRequest(before.page),
    after: nameRequest(after.page),
  };
}

function nameRequest(page) {
  if (page >= 0) return `page ${page}`;
  return page === -1 ? 'robots.txt' : 'an address that is not there';
}
