/**
 * One worker that holds thousands of domains whose delays are long: how much memory that takes, at most, over
 * several visits of each. How many it holds is read from the database.
 */
import { runMetered } from './accounting.mjs';
import { endAfter } from './end-after.mjs';
import { startSite } from './start-site.mjs';
import { assertEnded, withFleet } from './with-fleet.mjs';

const PAGES_PER_HOST = 40;
/** robots.txt, sitemap and pages: this many visits of each domain. */
const VISITS = 8;
const COUNT_EVERY_MS = 1000;

export async function benchMemory(options, say) {
  const hosts = options.memoryDomains;
  const delayMs = options.memoryDelay * 1000;
  const site = await startSite({ ...options.shape, hosts, pages: hosts * PAGES_PER_HOST });
  try {
    say(`memory: ${hosts} domains, ${options.memoryDelay} s apart, ${VISITS} visits of each`);
    return await withFleet(site, async ({ dataDir, db, worker }) => {
      const command = worker('bench-worker', { FORAGER_DELAY_MS: delayMs, FORAGER_MAX_DOMAINS: hosts });
      let domainsHeld = 0;
      const timer = setInterval(async () => {
        const { rows } = await db.query(
          'select count(*)::int as held from domains where claimed_by is not null',
        );
        domainsHeld = Math.max(domainsHeld, rows[0].held);
      }, COUNT_EVERY_MS);
      const outcome = await runMetered({
        ...command,
        dataDir,
        onStart: (child) => endAfter(child, site, VISITS * delayMs),
      }).finally(() => clearInterval(timer));
      assertEnded(outcome);
      const log = await site.readLog();
      const windowSeconds = (log.times.at(-1) - log.times[0]) / 1000;
      return {
        hosts,
        delaySeconds: options.memoryDelay,
        domainsHeld,
        hostsReached: new Set(log.hosts).size,
        pages: log.pages.filter((page) => page >= 0).length,
        windowSeconds,
        peakMb: outcome.peakMb,
        /** Of one core. */
        workerShare: outcome.ownSeconds / windowSeconds,
        databaseShare: outcome.databaseSeconds / windowSeconds,
        siteShare: log.cpuSeconds / windowSeconds,
      };
    });
  } finally {
    await site.stop();
  }
}
