/**
 * What going through a proxy costs: the same crawl directly and through a squid on loopback, in turn. Of interest is
 * the processor time of the Forager process; the proxy has its own, and the machine must carry both.
 */
import { fileURLToPath } from 'node:url';
import { addProxy } from './forager.mjs';
import { startSite } from './start-site.mjs';
import { median } from './statistics.mjs';
import { crawlOnceWithForager } from './throughput.mjs';

const PROXIES = fileURLToPath(new URL('../test/support/proxies.ts', import.meta.url));
/** Far beyond what a run asks for: its limit is not what is measured. */
const MAX_PER_HOUR = 10_000_000;

export async function benchProxies(options, say) {
  const { startSquid } = await loadProxies();
  const site = await startSite({ ...options.shape, pages: options.proxyPages });
  const squid = await startSquid();
  try {
    const turns = [];
    for (let turn = 1; turn <= options.repeat; turn += 1) {
      say(`directly ${turn}/${options.repeat}: ${site.pageCount} pages`);
      const directly = await crawlOnceWithForager(site, []);
      say(`through squid ${turn}/${options.repeat}`);
      const through = await crawlOnceWithForager(site, [], (dataDir) =>
        addProxy({ dataDir, url: squid.url, maxPerHour: MAX_PER_HOUR }),
      );
      turns.push({ directly, through, ratio: ownCpu(through) / ownCpu(directly) });
    }
    return {
      pages: site.pageCount,
      directly: summarise(turns.map(({ directly }) => directly)),
      through: summarise(turns.map(({ through }) => through)),
      ratio: median(turns.map(({ ratio }) => ratio)),
      ratios: turns.map(({ ratio }) => ratio),
    };
  } finally {
    await squid.stop();
    await site.stop();
  }
}

/** Without the database, which is the same in both. */
function ownCpu({ cpuSecondsPer1000, databaseCpuSecondsPer1000 }) {
  return cpuSecondsPer1000 - databaseCpuSecondsPer1000;
}

function summarise(runs) {
  return {
    pages: median(runs.map(({ pages }) => pages)),
    expectedPages: median(runs.map(({ expectedPages }) => expectedPages)),
    pagesPerSecond: median(runs.map(({ pagesPerSecond }) => pagesPerSecond)),
    cpuSecondsPer1000: median(runs.map(ownCpu)),
    databaseCpuSecondsPer1000: median(runs.map(({ databaseCpuSecondsPer1000 }) => databaseCpuSecondsPer1000)),
  };
}

/** They are written in TypeScript, which this version of Node may not know. */
async function loadProxies() {
  const { runnerImport } = await import('vite');
  return (await runnerImport(PROXIES)).module;
}
