/**
 * Handing in, taking and settling tasks, without fetching anything, beside pg-boss doing the same with its jobs: two
 * databases of one server, in turns, one connection at a time.
 */
import { inTurns } from './claim.mjs';
import { openByUrl, openServer } from './engine.mjs';
import { migrateDatabase, prepareDataDir, removeDataDir } from './forager.mjs';
import { openPgBoss } from './peer/pg-boss.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median } from './statistics.mjs';
import { LOT, openSteps, WORKER } from './task-steps.mjs';

const DOMAINS = 60;
/** Its figures do not count: domains are made known, connections and caches filled. */
const WARM_UP_TURNS = 1;

const LET_GO = `update domains set claimed_by = null, claim_expires_at = null where claimed_by = '${WORKER}'`;

export async function benchTaskQueue(options, say) {
  const { taskOrders: orders, taskTurns: turns } = options;
  const dataDir = await prepareDataDir();
  try {
    const server = await openServer(dataDir);
    try {
      const queues = [await openForager(server), await openPeer(server)];
      try {
        const runs = [];
        for (let turn = -WARM_UP_TURNS; turn < turns; turn += 1) {
          if (turn >= 0) say(`queue ${turn + 1}/${turns}: ${orders} tasks and as many jobs of pg-boss`);
          for (const queue of inTurns(queues, turn)) {
            // What autovacuum does sooner or later: without statistics either makes a bad plan at times.
            await queue.tidy();
            const run = await queue.run(nameUrls(orders, turn));
            if (turn >= 0) runs.push({ name: queue.name, ...run });
          }
        }
        return describe(orders, turns, runs);
      } finally {
        for (const queue of queues) await queue.close();
      }
    } finally {
      await server.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

function nameUrls(count, turn) {
  return Array.from(
    { length: count },
    (_, index) =>
      `https://site-${index % DOMAINS}.example/section-${index % 8}/turn-${turn}/page-${index}.html`,
  );
}

async function openForager(server) {
  await createDatabase(server, 'tasks');
  const url = databaseUrl(server, 'tasks');
  await migrateDatabase(url);
  const db = await openByUrl(url);
  const client = await connect(url);
  const steps = await openSteps(db);
  return {
    name: 'forager',
    run: async (urls) => {
      const enqueueMs = await timed(() => steps.submit(urls));
      const queueMs = await timed(steps.queueAll);
      const taken = [];
      const takeMs = await timed(async () => {
        for (const lease of await steps.claim(DOMAINS)) {
          for (let hasMore = true; hasMore; ) {
            const lot = await steps.take(lease);
            if (lot.due.length > 0) taken.push({ lease, due: lot.due });
            hasMore = lot.hasMore;
          }
        }
      });
      assertAll(
        taken.reduce((sum, { due }) => sum + due.length, 0),
        urls,
      );
      const settleMs = await timed(async () => {
        for (const { lease, due } of taken) await steps.settle(lease, due);
      });
      await client.query(LET_GO);
      return { enqueueMs, queueMs, takeMs, claimMs: queueMs + takeMs, settleMs };
    },
    tidy: () => client.query('vacuum analyze'),
    close: async () => {
      await steps.close();
      await client.end();
      await db.close();
    },
  };
}

async function openPeer(server) {
  await createDatabase(server, 'jobs');
  const url = databaseUrl(server, 'jobs');
  const boss = await openPgBoss(url);
  const client = await connect(url);
  return {
    name: 'pg-boss',
    run: async (urls) => {
      const enqueueMs = await timed(() => boss.enqueue(urls));
      const lots = [];
      const claimMs = await timed(async () => {
        for (let ids = await boss.take(LOT); ids.length > 0; ids = await boss.take(LOT)) lots.push(ids);
      });
      assertAll(
        lots.reduce((sum, ids) => sum + ids.length, 0),
        urls,
      );
      const settleMs = await timed(async () => {
        for (const ids of lots) await boss.complete(ids);
      });
      return { enqueueMs, claimMs, settleMs };
    },
    tidy: () => client.query('vacuum analyze'),
    close: async () => {
      await client.end();
      await boss.close();
    },
  };
}

async function createDatabase(server, name) {
  const client = await connect(server.url);
  await client.query(`create database ${name}`);
  await client.end();
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function assertAll(count, urls) {
  if (count !== urls.length) throw new Error(`${count} of ${urls.length} tasks were taken`);
}

/** Rates of each step, and how many times those of pg-boss ours are, turn by turn. */
function describe(orders, turns, runs) {
  const [ours, theirs] = ['forager', 'pg-boss'].map((name) => runs.filter((run) => run.name === name));
  const withTotal = (run) => ({ ...run, totalMs: run.enqueueMs + run.claimMs + run.settleMs });
  const compare = (title, read) => {
    const ratios = ours.map((run, turn) => read(withTotal(theirs[turn])) / read(withTotal(run)));
    const rate = (some) => (orders * 1000) / median(some.map((run) => read(withTotal(run))));
    return { title, perSecond: rate(ours), peerPerSecond: rate(theirs), ratio: median(ratios), ratios };
  };
  return {
    ...{ orders, turns, domains: DOMAINS, lot: LOT },
    queueMs: median(ours.map(({ queueMs }) => queueMs)),
    takeMs: median(ours.map(({ takeMs }) => takeMs)),
    steps: [
      compare('handed in, all in one call', ({ enqueueMs }) => enqueueMs),
      compare('claimed', ({ claimMs }) => claimMs),
      compare('settled', ({ settleMs }) => settleMs),
      compare('all of it', ({ totalMs }) => totalMs),
    ],
  };
}
