/**
 * Twenty SIGKILLs in one crawl, each followed by the same command again. Afterwards the server's log and the
 * database have to agree: nothing lost, nothing committed twice, nothing fetched again that was committed.
 */
import { spawn } from 'node:child_process';
import { setTimeout as waitMs } from 'node:timers/promises';
import { crawlArgs, exportRows, prepareDataDir, removeDataDir } from './forager.mjs';
import { startSite } from './start-site.mjs';

/** Paced, so that the crawl lasts through all its deaths; unpaced it would be over after the second. */
const DELAY_SECONDS = 0.02;
const LATENCY_MS = 3;
const STALLED_MS = 180_000;
/** Every so many kills strike during start-up instead of during the crawl. */
const EARLY_KILL_EVERY = 6;

export async function benchCrash(options, say) {
  const { kills, crashPages } = options;
  const site = await startSite({ ...options.shape, pages: crashPages, latencyMs: LATENCY_MS });
  const dataDir = await prepareDataDir();
  try {
    await site.reset();
    const seeds = site.origins.map((origin) => `${origin}/`);
    const args = crawlArgs({ dataDir, seeds, maxPages: site.pageCount * 2, delaySeconds: DELAY_SECONDS });
    const deaths = [];
    let requestsBefore = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      const how = await runAndKill(args, site, chooseMoment(kill, kills, site.pageCount));
      if (how === 'ended') break;
      // What the kernel still held for the server when the crawler died was sent before the kill.
      await waitMs(100);
      const committed = await readCommittedUrls(dataDir);
      const requestsAfter = (await site.count()).requests;
      deaths.push({ requestsBefore, requestsAfter, committed });
      requestsBefore = requestsAfter;
      say(`crash: kill ${kill}/${kills}, ${committed.size} of ${site.pageCount} pages committed`);
    }
    say('crash: the last run, to the end');
    const exitCode = await runToEnd(args);
    const pages = await exportRows(dataDir, 'pages');
    const log = await exportRows(dataDir, 'log');
    return judge({ site, serverLog: await site.readLog(), deaths, exitCode, pages, log, kills });
  } finally {
    await site.stop();
    await removeDataDir(dataDir);
  }
}

/** Kills are spread over the whole crawl by progress, at a random point of each stretch. */
function chooseMoment(kill, kills, pageCount) {
  if (kill % EARLY_KILL_EVERY === 0) return { afterMs: 50 + Math.random() * 1200 };
  return { atUniquePages: Math.floor(((kill - 1 + Math.random()) / (kills + 1)) * pageCount) + 1 };
}

async function runAndKill(args, site, moment) {
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', () => resolve('ended')));
  const killed = waitForMoment(child, site, moment).then((isDue) => {
    if (isDue) child.kill('SIGKILL');
    return isDue;
  });
  await ended;
  if (child.signalCode === 'SIGKILL') return 'killed';
  await killed;
  if (child.exitCode !== 0) throw new Error(`the crawl ended by itself with code ${child.exitCode}`);
  return 'ended';
}

async function waitForMoment(child, site, moment) {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const startedAt = performance.now();
  const { requests: requestsAtStart } = await site.count();
  while (isRunning()) {
    const aliveMs = performance.now() - startedAt;
    if (moment.afterMs !== undefined && aliveMs >= moment.afterMs) return true;
    const { requests, uniquePages } = await site.count();
    // A moment already passed strikes soon after this life's first request, not before it.
    if (
      moment.atUniquePages !== undefined &&
      uniquePages >= moment.atUniquePages &&
      requests > requestsAtStart
    ) {
      await waitMs(Math.random() * 60);
      return true;
    }
    if (aliveMs > STALLED_MS) throw new Error(`no progress in ${STALLED_MS / 1000} s after a restart`);
    await waitMs(5);
  }
  return false;
}

function runToEnd(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => child.once('exit', resolve));
}

async function readCommittedUrls(dataDir) {
  return new Set((await exportRows(dataDir, 'pages')).map((row) => row.url));
}

export function judge({ site, serverLog, deaths, exitCode, pages, log, kills }) {
  const requested = [];
  serverLog.pages.forEach((page, index) => {
    requested.push(page < 0 ? undefined : site.urlOf(serverLog.hosts[index], page));
  });

  let inFlight = 0;
  let refetchedAfterCommit = 0;
  for (const { requestsBefore, requestsAfter, committed } of deaths) {
    const life = new Set(requested.slice(requestsBefore, requestsAfter).filter((url) => url !== undefined));
    for (const url of life) if (!committed.has(url)) inFlight += 1;
    const later = requested.slice(requestsAfter);
    refetchedAfterCommit += later.filter((url) => url !== undefined && committed.has(url)).length;
  }
  const fetches = new Map();
  for (const url of requested) if (url !== undefined) fetches.set(url, (fetches.get(url) ?? 0) + 1);
  const refetched = [...fetches.values()].reduce((sum, count) => sum + count - 1, 0);

  const stored = new Set(pages.map((row) => row.url));
  const expected = site.origins.flatMap((_origin, host) =>
    site.paths.map((_path, page) => site.urlOf(host, page)),
  );
  const commits = new Map();
  for (const row of log) {
    if (fetches.has(row.url)) commits.set(row.url, (commits.get(row.url) ?? 0) + 1);
  }
  const verdict = {
    kills: deaths.length,
    expectedPages: expected.length,
    storedPages: stored.size,
    lost: expected.filter((url) => !stored.has(url)).length,
    storedTwice: pages.length - stored.size,
    committedTwice: [...commits.values()].filter((count) => count > 1).length,
    refetched,
    refetchedAfterCommit,
    inFlightAtKills: inFlight,
    exitCode,
  };
  const isHeld =
    exitCode === 0 &&
    verdict.kills === kills &&
    verdict.lost === 0 &&
    verdict.storedTwice === 0 &&
    verdict.committedTwice === 0 &&
    refetchedAfterCommit === 0 &&
    refetched <= inFlight;
  return { ...verdict, isHeld };
}
