/**
 * The server on a database of a million URLs: how much a page far down a list costs, how fast the cheap answers are
 * beside a bare Fastify route, and how long a change takes to reach a subscriber in another process.
 */
import { setTimeout as waitMs } from 'node:timers/promises';
import { Pool } from 'undici';
import { openServer } from './engine.mjs';
import { createReadKey, prepareDataDir, removeDataDir, startApi, startBareServer } from './forager.mjs';
import { connect, databaseUrl, populate } from './population.mjs';
import { median, percentile } from './statistics.mjs';

/** Enough domains for a thousand pages of them. */
const SIZE = { name: 'served', domains: 60_000, urls: 1_000_000, pages: 100_000 };
const GIANT = 'giant.example';
const GIANT_PAGES = 60_000;
const LIMIT = 50;
const FAR_PAGE = 1000;

const LISTS = [
  ['domains by name', '/api/domains?'],
  ['domains by pages', '/api/domains?sort=pagesCrawled&order=desc&'],
  ['URLs, due', '/api/frontier/urls?state=due&'],
  ['URLs, read', '/api/frontier/urls?state=fetched&'],
  ['URLs, all', '/api/frontier/urls?state=all&'],
  ['URLs, due, of one domain', `/api/frontier/urls?state=due&domain=${GIANT}&`],
  ['pages', '/api/pages?'],
  ['pages of one domain', `/api/pages?domain=${GIANT}&`],
];

export async function benchServer(options, say) {
  const dataDir = await prepareDataDir();
  try {
    await populate(dataDir, [SIZE], say);
    const server = await openServer(dataDir);
    try {
      const url = databaseUrl(server, SIZE.name);
      await addGiant(url);
      return await measure(dataDir, url, options, say);
    } finally {
      await server.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

async function measure(dataDir, url, options, say) {
  const api = await startApi({ dataDir, databaseUrl: url });
  try {
    const key = await createReadKey({ dataDir, databaseUrl: url });
    const lists = await measureLists(api.url, key, options.listRequests, say);
    const throughput = await measureThroughput(api.url, options, say);
    const live = await measureLive(api.url, key, url, options.liveChanges, say);
    return {
      size: { ...SIZE, pages: SIZE.pages + GIANT_PAGES },
      limit: LIMIT,
      farPage: FAR_PAGE,
      lists,
      throughput,
      live,
    };
  } finally {
    await api.stop();
  }
}

/** One site with enough of everything for a thousand pages of its own. */
async function addGiant(url) {
  const client = await connect(url);
  try {
    await client.query(`
      with site as (
        insert into domains (domain, parent_domain, base_url, pages_discovered, pages_crawled)
        values ('${GIANT}', '${GIANT}', 'https://${GIANT}', ${GIANT_PAGES * 2}, ${GIANT_PAGES}) returning id
      ), known as (
        insert into urls (domain_id, url_hash, url, depth, priority, state, discovered_at)
        select site.id, sha256(convert_to('https://${GIANT}/' || n, 'UTF8')), 'https://${GIANT}/' || n, 1 + n % 4, 1 + n % 3,
               case when n % 2 = 0 then 'fetched' else 'never_crawled' end::url_state,
               forager_now() - n / 500 * interval '1 second'
          from site, generate_series(1, ${GIANT_PAGES * 2}) as n
        returning domain_id, url_hash, url, depth, state
      )
      insert into pages (domain_id, url_hash, url, run_id, depth, http_status, content_type, content_length,
                         transfer_length, title, crawl_duration_ms)
      select domain_id, url_hash, url, 0, depth, 200, 'text/html', 20480, 20480, 'The title of a page', 120
        from known where state = 'fetched'`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Page 1 and page 1,000 in turns, so that whatever disturbs the machine disturbs both. */
async function measureLists(base, key, requests, say) {
  const pool = new Pool(base, { connections: 1 });
  const get = async (path) => {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${key}` },
    });
    const answer = await body.json();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${answer.detail}`);
    return { answer, ms: performance.now() - startedAt };
  };
  const results = [];
  for (const [name, path] of LISTS) {
    say(`list: ${name}`);
    let cursor = '';
    for (let page = 1; page < FAR_PAGE; page += 1) {
      const { answer } = await get(`${path}limit=${LIMIT}${cursor}`);
      if (answer.nextCursor === null) throw new Error(`${name} has only ${page} pages`);
      cursor = `&cursor=${encodeURIComponent(answer.nextCursor)}`;
    }
    const near = [];
    const far = [];
    for (let turn = 0; turn < requests; turn += 1) {
      near.push((await get(`${path}limit=${LIMIT}`)).ms);
      const { answer, ms } = await get(`${path}limit=${LIMIT}${cursor}`);
      if (answer.items.length === 0) throw new Error(`${name}: page ${FAR_PAGE} is empty`);
      far.push(ms);
    }
    results.push({
      name,
      near: describe(near),
      far: describe(far),
      ratio: percentile(far, 99) / percentile(near, 99),
    });
  }
  await pool.close();
  return results;
}

function describe(timings) {
  return { medianMs: median(timings), percentile99Ms: percentile(timings, 99) };
}

/** In turns, with the same client: what is left is the difference between the routes. */
async function measureThroughput(base, { throughputSeconds, repeat }, say) {
  const bare = await startBareServer();
  try {
    const routes = [
      ['a bare Fastify route', bare.url, '/'],
      ['GET /health', base, '/health'],
      ['GET /api/stats', base, '/api/stats'],
    ];
    const rates = routes.map(() => []);
    for (const [, url, path] of routes) await requestsPerSecond(url, path, 1);
    for (let turn = 0; turn < Math.max(3, repeat); turn += 1) {
      say(`throughput, round ${turn + 1}`);
      for (const [index, [, url, path]] of routes.entries()) {
        rates[index].push(await requestsPerSecond(url, path, throughputSeconds));
      }
    }
    const bareRate = median(rates[0]);
    return routes.map(([name], index) => {
      const rate = median(rates[index]);
      return { name, requestsPerSecond: rate, ratio: rate / bareRate };
    });
  } finally {
    await bare.stop();
  }
}

async function requestsPerSecond(base, path, seconds) {
  const pool = new Pool(base, { connections: 32, pipelining: 1 });
  const endAt = performance.now() + seconds * 1000;
  let done = 0;
  const ask = async () => {
    while (performance.now() < endAt) {
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      done += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 32 }, ask));
  const rate = done / ((performance.now() - startedAt) / 1000);
  await pool.close();
  return rate;
}

/** A state is changed by this process in the database, as an engine does; a stream of the server tells of it. */
async function measureLive(base, key, url, changes, say) {
  say(`live: ${changes} changes of state`);
  const arrivals = new Map();
  const stop = new AbortController();
  const response = await fetch(`${base}/api/events?types=domain`, {
    headers: { authorization: `Bearer ${key}` },
    signal: stop.signal,
  });
  const reading = readEvents(response.body, (event) => {
    const data = JSON.parse(event);
    const name = data.domain ?? data.data?.domain;
    if (name !== undefined && !arrivals.has(name)) arrivals.set(name, performance.now());
  }).catch(() => undefined);
  const client = await connect(url);
  const delays = [];
  try {
    const { rows } = await client.query(
      `select id, domain from domains where status = 'exhausted' and claimed_by is null order by id limit $1`,
      [changes],
    );
    for (const { id, domain } of rows) {
      await client.query(`update domains set status = 'pending', status_code = 'new_urls' where id = $1`, [
        id,
      ]);
      const committedAt = performance.now();
      for (let wait = 0; wait < 500 && !arrivals.has(domain); wait += 1) await waitMs(10);
      if (!arrivals.has(domain)) throw new Error(`the change of ${domain} did not arrive`);
      delays.push(Math.max(0, arrivals.get(domain) - committedAt));
      // Not in step with the server's own rhythm.
      await waitMs(137);
    }
  } finally {
    await client.end();
    stop.abort();
    await reading;
  }
  return {
    changes,
    medianMs: median(delays),
    percentile99Ms: percentile(delays, 99),
    longestMs: Math.max(...delays),
  };
}

async function readEvents(stream, onData) {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) onData(line.slice(5));
  }
}
