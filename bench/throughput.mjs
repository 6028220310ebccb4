/** Whole crawls of the generated site, with no delay: how many pages a second, at what cost. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runMetered } from './accounting.mjs';
import { crawlArgs, prepareDataDir, readCrawlSummary, removeDataDir } from './forager.mjs';
import { CRAWLEE } from './peers.mjs';
import { startSite } from './start-site.mjs';
import { median } from './statistics.mjs';

/** Enough to keep its one thread busy: 50 and 100 were no faster and needed more memory. */
const CRAWLEE_CONCURRENCY = 20;

/** @param {string[]} flags further flags of `forager crawl` */
export async function benchForager(options, flags, say) {
  const site = await startSite({ ...options.shape, pages: options.pages });
  try {
    const runs = [];
    for (let turn = 1; turn <= options.repeat; turn += 1) {
      say(
        `Forager ${flags.join(' ')} ${turn}/${options.repeat}: ${site.pageCount} pages on ${options.shape.hosts} hosts`,
      );
      runs.push(await crawlOnceWithForager(site, flags));
    }
    return summarise(runs);
  } finally {
    await site.stop();
  }
}

/** @param {(dataDir: string) => Promise<void>} prepare what is to be there before the crawl begins */
export async function crawlOnceWithForager(site, flags, prepare = async () => undefined) {
  const dataDir = await prepareDataDir();
  try {
    await prepare(dataDir);
    await site.reset();
    const seeds = site.origins.map((origin) => `${origin}/`);
    // More than there is: the crawl has to end because nothing is left, not because it was cut off.
    const args = crawlArgs({ dataDir, seeds, maxPages: site.pageCount * 2, delaySeconds: 0, flags });
    const outcome = await runMetered({ args, dataDir });
    return describeRun(site, outcome, readCrawlSummary(outcome.stdout)?.pages, await site.readLog());
  } finally {
    await removeDataDir(dataDir);
  }
}

/** The peer crawls a smaller site of the same make to its end: it is the rate that is compared. */
export async function benchCrawlee(options, say) {
  const site = await startSite({ ...options.shape, pages: options.peerPages });
  try {
    const runs = [];
    for (let turn = 1; turn <= options.repeat; turn += 1) {
      say(`Crawlee ${turn}/${options.repeat}: ${site.pageCount} pages on ${options.shape.hosts} hosts`);
      runs.push(await crawlOnceWithCrawlee(site));
    }
    return summarise(runs);
  } finally {
    await site.stop();
  }
}

async function crawlOnceWithCrawlee(site) {
  const storageDir = mkdtempSync(path.join(os.tmpdir(), 'crawlee-bench-'));
  try {
    await site.reset();
    const task = JSON.stringify({ origins: site.origins, concurrency: CRAWLEE_CONCURRENCY });
    const outcome = await runMetered({ args: [CRAWLEE, task], env: { CRAWLEE_STORAGE_DIR: storageDir } });
    return describeRun(site, outcome, readCrawlSummary(outcome.stdout)?.pages, await site.readLog());
  } finally {
    rmSync(storageDir, { recursive: true, force: true });
  }
}

function describeRun(site, outcome, reportedPages, log) {
  if (outcome.exitCode !== 0) {
    const how = outcome.signal ?? `code ${outcome.exitCode}`;
    throw new Error(`the crawl ended with ${how}: ${outcome.stderr.trim().slice(-2000)}`);
  }
  const fetched = new Map();
  log.pages.forEach((page, index) => {
    if (page < 0) return;
    const key = log.hosts[index] * site.pagesPerHost + page;
    fetched.set(key, (fetched.get(key) ?? 0) + 1);
  });
  const windowSeconds = log.times.length < 2 ? 0 : (log.times.at(-1) - log.times[0]) / 1000;
  return {
    pages: fetched.size,
    expectedPages: site.pageCount,
    reportedPages,
    repeatedFetches: [...fetched.values()].reduce((sum, count) => sum + count - 1, 0),
    windowSeconds,
    wallSeconds: outcome.wallMs / 1000,
    pagesPerSecond: fetched.size / windowSeconds,
    cpuSecondsPer1000: (outcome.cpuSeconds / fetched.size) * 1000,
    databaseCpuSecondsPer1000: (outcome.databaseSeconds / fetched.size) * 1000,
    peakMb: outcome.peakMb,
  };
}

/** The median of each figure over the runs, and the runs themselves. */
function summarise(runs) {
  const figures = {};
  for (const name of Object.keys(runs[0])) {
    const values = runs.map((each) => each[name]).filter((value) => value !== undefined);
    figures[name] = values.length === 0 ? undefined : median(values);
  }
  return { ...figures, runs };
}
