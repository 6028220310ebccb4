/** `npm run bench`: everything bench/README.md describes, in order. */
import os from 'node:os';
import { benchCrash } from './crash.mjs';
import { assertForagerBuilt } from './forager.mjs';
import { readOptions, USAGE } from './options.mjs';
import { installPeers } from './peers.mjs';
import { renderReport } from './report.mjs';
import { measureSiteCapacity } from './site-capacity.mjs';
import { startSite } from './start-site.mjs';
import { benchCrawlee, benchForager } from './throughput.mjs';

const startedAt = performance.now();

/** Progress goes to stderr, so that stdout is the result and nothing else. */
function say(line) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${line}\n`);
}

async function main() {
  let options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`bench: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const isWanted = (name) => options.only === undefined || options.only === name;
  const results = { machine: describeMachine(), options };
  if (options.only !== 'crawlee' && options.only !== 'site') assertForagerBuilt();

  if (options.only === 'site') results.capacity = await benchSite(options);
  if (isWanted('forager')) {
    results.forager = await benchForager(options, [], say);
    results.foragerNoBodies = await benchForager(options, ['--no-bodies'], say);
  }
  if (isWanted('crawlee')) {
    installPeers(say);
    results.crawlee = await benchCrawlee(options, say);
  }
  // These know the built program from inside, and can only be loaded when there is one.
  if (isWanted('politeness')) {
    results.politeness = await (await import('./politeness.mjs')).benchPoliteness(options, say);
  }
  if (isWanted('crash')) results.crash = await benchCrash(options, say);
  if (isWanted('fleet')) results.fleet = await (await import('./fleet.mjs')).benchFleet(options, say);
  if (isWanted('memory')) results.memory = await (await import('./memory.mjs')).benchMemory(options, say);
  if (options.only === 'claim')
    Object.assign(results, await (await import('./growth.mjs')).benchGrowth(options, say));
  if (options.only === 'server')
    results.server = await (await import('./server.mjs')).benchServer(options, say);
  if (options.only === 'tasks') {
    installPeers(say);
    results.tasks = await (await import('./tasks.mjs')).benchTasks(options, say);
  }
  if (options.only === 'bots') {
    installPeers(say);
    results.bots = await (await import('./bots.mjs')).benchBots(options, say);
  }
  if (options.only === 'products')
    results.products = await (await import('./products.mjs')).benchProducts(options, say);
  if (options.only === 'search')
    results.search = await (await import('./search.mjs')).benchSearch(options, say);
  if (options.only === 'extraction')
    results.extraction = (await import('./extraction.mjs')).benchExtraction(options, say);
  if (options.only === 'proxies')
    results.proxies = await (await import('./proxies.mjs')).benchProxies(options, say);
  if (results.forager !== undefined && results.crawlee !== undefined) results.ratios = compare(results);

  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `\n${renderReport(results)}`);
  return results.crash?.isHeld === false ? 1 : 0;
}

async function benchSite(options) {
  say('the site alone');
  const site = await startSite({ ...options.shape, pages: options.pages });
  try {
    await measureSiteCapacity(site, options.pages);
    return { pagesPerSecond: await measureSiteCapacity(site, options.pages) };
  } finally {
    await site.stop();
  }
}

function compare({ forager, foragerNoBodies, crawlee }) {
  return {
    pagesPerSecond: forager.pagesPerSecond / crawlee.pagesPerSecond,
    pagesPerSecondNoBodies: foragerNoBodies.pagesPerSecond / crawlee.pagesPerSecond,
    cpuSecondsPer1000: forager.cpuSecondsPer1000 / crawlee.cpuSecondsPer1000,
    peakMb: forager.peakMb / crawlee.peakMb,
  };
}

function describeMachine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown processor',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    os: `${os.type()} ${os.release()}`,
    node: process.versions.node,
  };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
