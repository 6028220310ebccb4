/**
 * Bots: cycles of pulling a job and handing in its result, beside pg-boss fetching and completing as many jobs. Both
 * live in one database and take turns. Once by the program's own functions over one connection, and once over HTTP, by
 * several bots at a time, which pg-boss does not have: there it is called directly, by as many at a time.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import { Pool } from 'undici';
import { inTurns } from './claim.mjs';
import { openByUrl, openServer, pullJobs, submitResult } from './engine.mjs';
import { migrateDatabase, prepareDataDir, removeDataDir, startApi } from './forager.mjs';
import { openPgBoss } from './peer/pg-boss.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median } from './statistics.mjs';

const DOMAINS = 60;
const LOTS = [1, 10, 100];
/** Bots that work at the same time over HTTP. */
const BOTS = 4;
/** Its figures do not count: connections and caches are filled. */
const WARM_UP_TURNS = 1;
const STILL_MS = 20_000;
const RULES = { maxPerDomain: 1_000_000, lockSeconds: 600, isCounted: true };
const FOUND = { price: '12.50', currency: 'EUR', title: 'A kettle', in_stock: true };

/** `--quick`: does everything work? */
const QUICK = { botJobs: 200, botTurns: 1 };

export async function benchBots(given, say) {
  const { botJobs, botTurns } = given.quick ? { ...given, ...QUICK } : given;
  const dataDir = await prepareDataDir();
  try {
    const server = await openServer(dataDir);
    try {
      const ground = await openGround(server, dataDir);
      try {
        const direct = await measure(openDirect(ground), botJobs, botTurns, 'functions', say);
        const overHttp = await measure(openHttp(ground), botJobs, botTurns, 'HTTP', say);
        const shape = { jobs: botJobs, turns: botTurns, domains: DOMAINS, bots: BOTS };
        return { isQuick: given.quick, ...shape, direct, overHttp };
      } finally {
        await ground.close();
      }
    } finally {
      await server.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

/** One database with both, the server on it, and a client to prepare what is measured. */
async function openGround(server, dataDir) {
  const admin = await connect(server.url);
  await admin.query('create database bots');
  await admin.end();
  const url = databaseUrl(server, 'bots');
  await migrateDatabase(url);
  const client = await connect(url);
  await client.query(
    `insert into domains (domain, parent_domain, base_url, source, is_explored, max_concurrent_requests)
     select 'site-' || n || '.example', 'site-' || n || '.example', 'https://site-' || n || '.example', 'task', false, 1000
       from generate_series(0, $1::int - 1) as n`,
    [DOMAINS],
  );
  const bots = [];
  for (let number = 0; number < BOTS; number += 1) bots.push(await registerBot(client, `bench-${number}`));
  const [db, boss, api] = [
    await openByUrl(url),
    await openPgBoss(url, BOTS),
    await startApi({ dataDir, databaseUrl: url }),
  ];
  let series = 0;
  return {
    ...{ db, boss, api, bots },
    plantJobs: async (count) => {
      series += 1;
      await client.query(
        `insert into crawl_tasks (domain_id, url, url_hash, executor, scheduled_at)
         select d.id, u.url, sha256(convert_to(u.url, 'UTF8')), 'bot', forager_now()
           from generate_series(0, $1::int - 1) as n
           join domains d on d.domain = 'site-' || n % $2::int || '.example'
          cross join lateral (select d.base_url || '/series-' || $3::int || '/' || n as url) as u`,
        [count, DOMAINS, series],
      );
    },
    // What autovacuum does sooner or later.
    tidy: () => client.query('vacuum analyze'),
    close: async () => {
      await api.stop();
      await boss.close();
      await db.close();
      await client.end();
    },
  };
}

async function registerBot(client, botId) {
  const key = `fgr_${randomBytes(32).toString('base64url')}`;
  const { rows } = await client.query(
    `with bot as (insert into bots (bot_id, max_locks) values ($1, 10000) returning id)
     insert into api_keys (key_hash, prefix, name, role, scopes, created_by, bot_id)
     select $2, $3, $1, 'bot', '{work}', 'bench', id from bot returning bot_id as id`,
    [botId, createHash('sha256').update(key).digest(), key.slice(0, 12)],
  );
  return { id: Number(rows[0].id), botId, domains: null, key };
}

/** Three queues: ours, pg-boss as it comes, and pg-boss completing one by one, as bots do. */
function openDirect({ db, boss, bots: [bot], plantJobs, tidy }) {
  const parts = { db, htmlKeeper: undefined };
  return {
    tidy,
    queues: [
      {
        name: 'forager',
        fill: plantJobs,
        work: async (lot) => {
          const { jobs } = await pullJobs(db, bot, { maxJobs: lot }, RULES);
          for (const job of jobs) await submitResult(parts, bot, describeResult(bot, job));
          return jobs.length;
        },
        hands: 1,
      },
      ...openPeers(boss, 1),
    ],
  };
}

function openHttp({ api, boss, bots, plantJobs, tidy }) {
  const pool = new Pool(api.url, { connections: BOTS });
  const post = async (bot, path, body) => {
    const { statusCode, body: answer } = await pool.request({
      ...{ method: 'POST', path, body: JSON.stringify({ bot_id: bot.botId, ...body }) },
      headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
    });
    const told = await answer.json();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${told.detail}`);
    return told.data;
  };
  return {
    tidy,
    close: () => pool.close(),
    queues: [
      {
        name: 'forager',
        fill: plantJobs,
        work: async (lot, hand) => {
          const bot = bots[hand];
          const { jobs } = await post(bot, '/api/crawl/pull', { max_jobs: lot });
          for (const job of jobs) await post(bot, '/api/crawl/submit', describeResult(bot, job));
          return jobs.length;
        },
        hands: BOTS,
      },
      ...openPeers(boss, BOTS),
    ],
  };
}

function openPeers(boss, hands) {
  const fill = (count) => boss.enqueue(Array.from({ length: count }, (_, n) => `https://site.example/${n}`));
  return [
    {
      name: 'pg-boss',
      ...{ fill, hands },
      work: async (lot) => {
        const ids = await boss.take(lot);
        if (ids.length > 0) await boss.complete(ids);
        return ids.length;
      },
    },
    {
      name: 'pg-boss, one by one',
      ...{ fill, hands },
      work: async (lot) => {
        const ids = await boss.take(lot);
        for (const id of ids) await boss.complete([id]);
        return ids.length;
      },
    },
  ];
}

function describeResult(bot, job) {
  return { bot_id: bot.botId, job_id: job.job_id, lock_token: job.lock_token, success: true, ...FOUND };
}

async function measure({ queues, tidy, close }, jobs, turns, what, say) {
  const lots = [];
  for (const lot of LOTS) {
    const runs = queues.map(() => []);
    for (let turn = -WARM_UP_TURNS; turn < turns; turn += 1) {
      if (turn >= 0) say(`bots by ${what}: ${jobs} jobs, ${lot} at a time, ${turn + 1}/${turns}`);
      for (const queue of inTurns(queues, turn)) {
        const count = turn < 0 ? Math.min(jobs, 100) : jobs;
        await queue.fill(count);
        await tidy();
        const perSecond = await cyclesPerSecond(queue, lot, count);
        if (turn >= 0) runs[queues.indexOf(queue)].push(perSecond);
      }
    }
    const [ours, ...peers] = runs;
    lots.push({
      lot,
      perSecond: median(ours),
      peers: peers.map((theirs, index) => {
        const ratios = ours.map((rate, turn) => rate / theirs[turn]);
        return { name: queues[index + 1].name, perSecond: median(theirs), ratio: median(ratios), ratios };
      }),
    });
  }
  await close?.();
  return lots;
}

async function cyclesPerSecond({ name, work, hands }, lot, jobs) {
  let done = 0;
  const startedAt = performance.now();
  let progressAt = startedAt;
  const labour = async (_, hand) => {
    while (done < jobs) {
      const count = await work(lot, hand);
      done += count;
      if (count > 0) progressAt = performance.now();
      else if (performance.now() - progressAt > STILL_MS)
        throw new Error(`${name}: stuck at ${done} of ${jobs}`);
      // Somebody else is just taking the last ones.
      else await waitMs(1);
    }
  };
  await Promise.all(Array.from({ length: hands }, labour));
  if (done !== jobs) throw new Error(`${name}: ${done} of ${jobs} jobs were done`);
  return (jobs * 1000) / (progressAt - startedAt);
}
