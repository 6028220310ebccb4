import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openParts } from '../../src/api/open-parts.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { startCutOffServer } from '../support/cut-off-server.ts';
import { type MetricFamily, readPrometheusText } from '../support/prometheus-text.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What a server that has just started tells: nothing is remembered from the second before. */
async function scrapeFresh(): Promise<Map<string, MetricFamily>> {
  const { config, db, slowDb } = server.parts;
  const parts = await openParts({ config, db, slowDb });
  try {
    return readPrometheusText(await parts.metrics.read());
  } finally {
    await parts.close();
  }
}

function readValue(
  families: Map<string, MetricFamily>,
  name: string,
  labels: object = {},
): number | undefined {
  const wanted = JSON.stringify(labels);
  return families.get(name)?.samples.find((sample) => JSON.stringify(sample.labels) === wanted)?.value;
}

describe('GET /metrics', () => {
  test('anybody may read it, in the text format of Prometheus', async () => {
    const { status, headers, text } = await server.client().get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = readPrometheusText(text);
    expect([...families.keys()]).toEqual(
      expect.arrayContaining([
        ...['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds', 'forager_build_info'],
        ...[
          'forager_http_request_duration_seconds',
          'forager_database_up',
          'forager_database_pool_connections',
        ],
        ...['crawler_pages_fetched_total', 'crawler_pages_per_second', 'crawler_fetch_success_rate'],
        ...['crawler_http_status_total', 'crawler_frontier_size', 'crawler_robots_denials_total'],
        ...['crawler_active_workers', 'crawler_downloaded_bytes_total', 'crawler_fetch_errors_total'],
        ...['crawler_domains', 'crawler_alerts', 'crawler_proxies', 'crawler_domains_without_proxy'],
        ...[
          'crawler_active_bots',
          'crawler_bot_jobs',
          'crawler_bot_pulls_total',
          'crawler_bot_results_total',
        ],
      ]),
    );
    expect(readValue(families, 'forager_database_up')).toBe(1);
  });

  test('promtool has nothing to say against the names, where it is installed', async (context) => {
    if (spawnSync('promtool', ['--version']).status !== 0) return context.skip();
    const { text } = await server.client().get('/metrics');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
    // Those of the Node.js runtime have names of their own.
    const said = `${stdout}${stderr}`.split('\n').filter((line) => /^(?:crawler|forager)_/.test(line));
    expect(said).toEqual([]);
    expect([0, 3]).toContain(status);
  });

  test('a field it does not know is refused by name', async () => {
    const { problem } = await server.client().get('/metrics', { name: 'x' });
    expect(problem).toMatchObject({ status: 400, code: 'invalid' });
  });

  test('what the crawl counted comes from the database and goes back with no restart', async () => {
    const { execute } = server.database;
    await execute('truncate stats_totals, stats_minutely');
    await execute(
      `insert into stats_totals values ('pages', 100), ('fetches', 150), ('errors', 30), ('bytes', 5000),
         ('status:200', 100), ('status:404', 20), ('outcome:page', 100), ('outcome:gone', 20), ('skip:robots', 4),
         ('duration_ms', 1500)`,
    );
    await execute(
      `insert into stats_minutely select date_trunc('minute', forager_now(), 'UTC'), 'w', t, 5
         from unnest(array['pages', 'fetches', 'status:200']) as t`,
    );
    const before = await scrapeFresh();
    expect(readValue(before, 'crawler_pages_fetched_total')).toBe(105);
    expect(readValue(before, 'crawler_downloaded_bytes_total')).toBe(5000);
    expect(readValue(before, 'crawler_fetch_duration_seconds_total')).toBe(1.5);
    expect(readValue(before, 'crawler_http_status_total', { code: '200' })).toBe(105);
    expect(readValue(before, 'crawler_http_status_total', { code: '404' })).toBe(20);
    // A page is no error, however many there are.
    expect(before.get('crawler_fetch_errors_total')?.samples).toEqual([
      { name: 'crawler_fetch_errors_total', labels: { outcome: 'gone' }, value: 20 },
    ]);
    expect(readValue(before, 'crawler_robots_denials_total')).toBe(4);
    expect(readValue(before, 'crawler_fetch_success_rate')).toBe(1);
    await execute("update stats_totals set count = count + 7 where tally = 'pages'");
    expect(readValue(await scrapeFresh(), 'crawler_pages_fetched_total')).toBe(112);
  });

  test('no label says more than a state, a code, a route or the version', async () => {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url) values ('secret.example', 'secret.example', 'https://secret.example')
       on conflict do nothing`,
    );
    await server.client().get('/api/pages/secret');
    const families = await scrapeFresh();
    expect(readValue(families, 'crawler_domains', { status: 'pending' })).toBe(1);
    const labels = new Set(
      [...families.values()]
        .filter(({ name }) => /^(?:crawler|forager)_/.test(name))
        .flatMap(({ samples }) => samples.flatMap((sample) => Object.keys(sample.labels))),
    );
    expect([...labels].sort()).toEqual(
      ['code', 'outcome', 'pool', 'severity', 'state', 'status', 'version'].sort(),
    );
  });

  test('proxies, jobs of bots and their results are told by state, none by its name', async () => {
    await server.database.execute(
      `insert into proxies (proxy_url, proxy_port, is_active, disabled_by) values ('a.example', 1, true, null),
         ('b.example', 1, true, null), ('c.example', 1, false, 'failures'), ('d.example', 1, false, 'anna');
       insert into bots (bot_id, last_pull_at, pulls_count, jobs_count, success_count, failures_count, expired_count)
       values ('one', now(), 10, 8, 5, 2, 1), ('two', now() - interval '1 h', 1, 1, 1, 0, 0);
       insert into domains (domain, parent_domain, base_url, block_reason_code, next_crawl_after)
       values ('bots.example', 'bots.example', 'https://bots.example', 'no_proxy', now() + interval '1 h');
       insert into crawl_tasks (domain_id, url, url_hash, executor, status, locked_by, locked_until)
       select d.id, 'https://bots.example/' || n, int4send(n), 'bot', (case n when 1 then 'locked' else 'pending' end)::task_status,
              case n when 1 then 'one' end, case n when 1 then now() + interval '1 h' end
         from domains d, generate_series(1, 4) n where d.domain = 'bots.example'`,
    );
    const families = await scrapeFresh();
    const value = (name: string, labels: object = {}) => readValue(families, name, labels);
    expect(value('crawler_proxies', { state: 'active' })).toBe(2);
    expect(value('crawler_proxies', { state: 'out' })).toBe(1);
    expect(value('crawler_proxies', { state: 'disabled' })).toBe(1);
    expect(value('crawler_domains_without_proxy')).toBe(1);
    expect(value('crawler_active_bots')).toBe(1);
    expect(value('crawler_bot_jobs', { status: 'pending' })).toBe(3);
    expect(value('crawler_bot_jobs', { status: 'locked' })).toBe(1);
    expect(value('crawler_bot_pulls_total')).toBe(11);
    expect(value('crawler_bot_jobs_handed_out_total')).toBe(9);
    expect(value('crawler_bot_results_total', { outcome: 'success' })).toBe(6);
    expect(value('crawler_bot_results_total', { outcome: 'failure' })).toBe(2);
    expect(value('crawler_bot_results_total', { outcome: 'expired' })).toBe(1);
    const { config, db, slowDb } = server.parts;
    const parts = await openParts({ config, db, slowDb });
    try {
      expect((await parts.figures.read()).stats).toMatchObject({
        proxies: { active: 2, out: 1, disabled: 1, waitingDomains: 1 },
        bots: {
          ...{ active: 1, pendingJobs: 3, lockedJobs: 1, pulls: 11, jobs: 9 },
          ...{ successes: 6, failures: 2, expired: 1 },
        },
      });
    } finally {
      await parts.close();
    }
  });

  test('who leads, how often it ticks and how long that takes', async () => {
    expect(readValue(await scrapeFresh(), 'forager_schedulers', { state: 'leading' })).toBe(0);
    await server.database.execute(
      `insert into schedulers (id, host, pid, program_version, leads_since, ticks_count, last_tick_ms)
       values ('a', 'h', 1, '1', now(), 40, 25), ('b', 'h', 2, '1', null, 2, 90)`,
    );
    const families = await scrapeFresh();
    expect(readValue(families, 'forager_schedulers', { state: 'leading' })).toBe(1);
    expect(readValue(families, 'forager_schedulers', { state: 'waiting' })).toBe(1);
    expect(readValue(families, 'forager_scheduler_ticks_total')).toBe(42);
    expect(readValue(families, 'forager_scheduler_last_tick_seconds')).toBe(0.025);
  });

  test('requests are told apart by route, not by address', async () => {
    const user = await server.as('user');
    await user.get('/api/runs/1');
    await user.get('/api/runs/2');
    for (const path of ['/nowhere/1', '/nowhere/2']) await server.client().get(path);
    // A scrape is not older than a second: the next one has them.
    await expect
      .poll(
        async () => {
          const families = readPrometheusText((await server.client().get('/metrics')).text);
          const counts = families.get('forager_http_request_duration_seconds')?.samples ?? [];
          return counts
            .filter(({ name }) => name.endsWith('_count'))
            .map(({ labels, value }) => `${labels.method} ${labels.route} ${labels.status} ${value}`);
        },
        { timeout: 10_000 },
      )
      .toEqual(expect.arrayContaining(['GET /api/runs/:id 4xx 2', 'GET none 4xx 2']));
  });
});

describe('without its database', () => {
  test('the server still tells of itself, and of the crawl again when it is back', async () => {
    const away = await startCutOffServer();
    try {
      const scrape = async (): Promise<Map<string, MetricFamily>> =>
        readPrometheusText(await (await fetch(`${away.url}/metrics`)).text());
      expect(readValue(await scrape(), 'forager_database_up')).toBe(1);
      away.proxy.cut();
      await expect
        .poll(async () => readValue(await scrape(), 'forager_database_up'), { timeout: 20_000 })
        .toBe(0);
      const families = await scrape();
      expect(families.has('process_cpu_seconds_total')).toBe(true);
      expect([...families.keys()].filter((name) => name.startsWith('crawler_'))).toEqual([]);
      away.proxy.mend();
      await expect
        .poll(async () => readValue(await scrape(), 'crawler_pages_fetched_total'), { timeout: 20_000 })
        .toBe(0);
    } finally {
      await away.close();
    }
  });
});
