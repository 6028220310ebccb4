/**
 * One worker and two, in turns, against a site that takes its time to answer. Each has the same number of
 * requests open at most, so few that one worker waits for the site and not for the processor: with all the
 * requests it may have open, one worker alone would fill a machine of two cores, and a second could add
 * nothing. What is measured is whether workers get into each other's way.
 */
import { runMeteredTogether } from './accounting.mjs';
import { startSite } from './start-site.mjs';
import { median } from './statistics.mjs';
import { assertEnded, withFleet } from './with-fleet.mjs';

const LATENCY_MS = 50;
const PAGES_PER_HOST = 50;
const WORKER_COUNTS = [1, 2];

export async function benchFleet(options, say) {
  const hosts = Math.ceil(options.fleetPages / PAGES_PER_HOST);
  const site = await startSite({
    ...options.shape,
    hosts,
    pages: hosts * PAGES_PER_HOST,
    latencyMs: LATENCY_MS,
  });
  try {
    const runs = [];
    for (let turn = 1; turn <= options.repeat; turn += 1) {
      for (const workers of WORKER_COUNTS) {
        say(
          `fleet ${turn}/${options.repeat}: ${workers} of ${options.fleetInFlight} requests, ${site.pageCount} pages`,
        );
        runs.push(await crawlOnce(site, workers, options));
      }
    }
    const [one, two] = WORKER_COUNTS.map((workers) =>
      summarise(runs.filter((run) => run.workers === workers)),
    );
    const compare = (figure) => one.runs.map((run, turn) => two.runs[turn][figure] / run[figure]);
    const ratios = compare('pagesPerSecond');
    const steadyRatios = compare('steadyPagesPerSecond');
    return {
      hosts,
      latencyMs: LATENCY_MS,
      inFlight: options.fleetInFlight,
      domainsHeld: options.fleetDomains,
      one,
      two,
      ratio: median(ratios),
      ratios,
      steadyRatio: median(steadyRatios),
      steadyRatios,
    };
  } finally {
    await site.stop();
  }
}

async function crawlOnce(site, workers, options) {
  return withFleet(site, async ({ dataDir, worker }) => {
    const settings = {
      FORAGER_DELAY_MS: 0,
      FORAGER_MAX_IN_FLIGHT: options.fleetInFlight,
      FORAGER_MAX_DOMAINS: options.fleetDomains,
    };
    const commands = Array.from({ length: workers }, (_, index) =>
      worker(`bench-worker-${index + 1}`, settings, ['--until-idle']),
    );
    const outcome = await runMeteredTogether(commands, { dataDir });
    outcome.commands.forEach(assertEnded);
    return describeRun(site, workers, outcome, await site.readLog());
  });
}

function describeRun(site, workers, outcome, log) {
  const fetched = new Set();
  const arrivals = [];
  log.pages.forEach((page, index) => {
    if (page < 0) return;
    arrivals.push(log.times[index]);
    fetched.add(log.hosts[index] * site.pagesPerHost + page);
  });
  const windowSeconds = (arrivals.at(-1) - log.times[0]) / 1000;
  return {
    workers,
    pages: fetched.size,
    expectedPages: site.pageCount,
    repeatedFetches: arrivals.length - fetched.size,
    windowSeconds,
    wallSeconds: outcome.wallMs / 1000,
    pagesPerSecond: fetched.size / windowSeconds,
    steadyPagesPerSecond: rateBetween(arrivals, 0.1, 0.9),
    cpuSecondsPer1000: (outcome.cpuSeconds / fetched.size) * 1000,
    databaseCpuSecondsPer1000: (outcome.databaseSeconds / fetched.size) * 1000,
    /** Of one core. */
    busiestWorker: Math.max(...outcome.commands.map(({ ownSeconds }) => ownSeconds)) / windowSeconds,
    siteShare: log.cpuSeconds / windowSeconds,
    peakMb: Math.max(...outcome.commands.map(({ peakMb }) => peakMb)),
  };
}

/** Without the beginning, when nothing is claimed yet, and the end, when one has nothing left and the other has. */
function rateBetween(arrivals, from, to) {
  const first = Math.floor(arrivals.length * from);
  const last = Math.ceil(arrivals.length * to) - 1;
  return ((last - first) * 1000) / (arrivals[last] - arrivals[first]);
}

function summarise(runs) {
  const names = Object.keys(runs[0]);
  return { ...Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))])), runs };
}
