import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openParts } from '../../src/api/open-parts.ts';
import type { AnswerOf } from '../../src/contract/endpoint.ts';
import type {
  getHealth,
  getStats,
  getTimeSeries,
  listRuns,
  listWorkers,
} from '../../src/contract/monitoring.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { startCutOffServer } from '../support/cut-off-server.ts';
import { startTestRedis } from '../support/redis.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let server: TestServer;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.as('user');
});
afterAll(() => server.close());

type Health = AnswerOf<typeof getHealth>;
type Stats = AnswerOf<typeof getStats>;
type Series = AnswerOf<typeof getTimeSeries>;

describe('GET /health', () => {
  test('tells anybody that server and database are well, and nothing about Redis where there is none', async () => {
    const { status, body } = await server.client().get('/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ status: 'ok', notes: [] },
      database: { status: 'up', kind: 'external' },
      services: {
        workers: { active: 0 },
        schedulers: { active: 0, hasLeader: false },
        jobs: { queued: 0, running: 0 },
      },
    });
    const { database, services, version } = body as Health;
    expect(database.schemaVersion).toBeGreaterThanOrEqual(3);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(services).not.toHaveProperty('redis');
  });

  test('is answered under any name: probes come by address', async () => {
    const response = await fetch(`${server.url}/health`, { headers: { host: 'pod-7.internal' } });
    expect(response.status).toBe(200);
  });

  test('a field it does not know is refused by name', async () => {
    expect((await server.client().get('/health', { deep: 1 })).problem?.code).toBe('invalid');
  });

  test('a schema that is not the one of this program makes it degraded, and says so', async () => {
    const { config, db, slowDb } = server.parts;
    await server.database.execute("insert into schema_migrations values (999, 'later', 'x')");
    const parts = await openParts({ config, db, slowDb });
    const { health } = await parts.health.read();
    await parts.close();
    await server.database.execute('delete from schema_migrations where version = 999');
    expect(health).toMatchObject({ status: 'degraded', database: { status: 'up', schemaVersion: 999 } });
    expect(health.notes).toHaveLength(1);
  });

  test('without its database it is down, with the same body, and well again when that is back', async () => {
    const away = await startCutOffServer();
    const ask = async (): Promise<{ status: number; body: Health }> => {
      const response = await fetch(`${away.url}/health`);
      return { status: response.status, body: (await response.json()) as Health };
    };
    try {
      expect((await ask()).status).toBe(200);
      away.proxy.cut();
      await expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(503);
      expect((await ask()).body).toMatchObject({
        ...{ status: 'down', services: { workers: null, schedulers: null, jobs: null } },
        database: { status: 'down', latencyMs: null, schemaVersion: null },
      });
      away.proxy.mend();
      await expect.poll(async () => (await ask()).body.status, { timeout: 20_000 }).toBe('ok');
    } finally {
      await away.close();
    }
  });

  test('a database that does not answer at all is waited for in vain no longer than the limit', async () => {
    const away = await startCutOffServer();
    try {
      expect((await fetch(`${away.url}/health`)).status).toBe(200);
      away.proxy.freeze();
      // Each answer comes, though nothing ever comes from the database.
      await expect
        .poll(async () => (await fetch(`${away.url}/health`)).status, { timeout: 20_000 })
        .toBe(503);
      away.proxy.mend();
      await expect
        .poll(async () => (await fetch(`${away.url}/health`)).status, { timeout: 20_000 })
        .toBe(200);
    } finally {
      await away.close();
    }
  });

  test('requests that keep every connection busy do not make it look down', async () => {
    const { pool } = server.database.db;
    const clients = await Promise.all(Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()));
    try {
      // Past the second for which an answer is remembered.
      const busy = await Promise.all(
        clients.slice(0, 1).map((client) => client.query('select pg_sleep(1.2)')),
      );
      expect(busy).toHaveLength(1);
      expect((await server.client().get('/health')).body).toMatchObject({ status: 'ok' });
    } finally {
      for (const client of clients) client.release();
    }
  });

  test('Redis that goes away makes it degraded, not down', async () => {
    const redis = await startTestRedis();
    const { db, slowDb, config } = server.parts;
    const parts = await openParts({ db, slowDb, config: { ...config, redisUrl: redis.url } });
    const rule = { name: 'test', limit: 10, windowSeconds: 1 };
    const read = async (): Promise<string> => {
      await parts.limiter.take('somebody', [rule]);
      const { health } = await parts.health.read();
      return `${health.status} ${health.services.redis?.status}`;
    };
    try {
      await expect.poll(read, { timeout: 20_000 }).toBe('ok up');
      await redis.stop();
      await expect.poll(read, { timeout: 20_000 }).toBe('degraded down');
    } finally {
      await parts.close();
    }
  });
});

describe('schedulers in GET /health', () => {
  const read = async (): Promise<Health> => {
    const { config, db, slowDb } = server.parts;
    const parts = await openParts({ config, db, slowDb });
    try {
      return (await parts.health.read()).health;
    } finally {
      await parts.close();
    }
  };
  const addScheduler = (id: string, leadsSince: string, silent: string): Promise<unknown> =>
    server.database.execute(
      `insert into schedulers (id, host, pid, program_version, leads_since, heartbeat_at)
       values ('${id}', 'secret-host', 1, '1', ${leadsSince}, forager_now() - interval '${silent}')`,
    );

  test('work that is due and nobody who leads make it degraded; one who leads is enough, unnamed', async () => {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url)
       values ('due.example', 'due.example', 'https://due.example') on conflict do nothing;
       insert into crawl_tasks (domain_id, url, url_hash, scheduled_at)
       select id, 'https://due.example/', '\\x01', forager_now() + interval '1 hour' from domains
        where domain = 'due.example'`,
    );
    try {
      expect(await read()).toMatchObject({ status: 'ok' });
      await server.database.execute(
        "update crawl_tasks set scheduled_at = forager_now() - interval '5 minutes'",
      );
      await addScheduler('dead', 'forager_now()', '5 minutes');
      await addScheduler('waiting', 'null', '1 second');
      expect(await read()).toMatchObject({
        ...{ status: 'degraded', services: { schedulers: { active: 1, hasLeader: false } } },
        notes: [expect.stringContaining('"forager scheduler"')],
      });
      await addScheduler('leader', 'forager_now()', '1 second');
      const health = await read();
      expect(health).toMatchObject({
        ...{ status: 'ok', notes: [], services: { schedulers: { active: 2, hasLeader: true } } },
      });
      expect(JSON.stringify(health)).not.toMatch(/secret-host|leader'/);
    } finally {
      await server.database.execute(
        "delete from schedulers; delete from domains where domain = 'due.example'",
      );
    }
  });

  test('a policy that is due counts too', async () => {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url)
       values ('due.example', 'due.example', 'https://due.example') on conflict do nothing;
       insert into crawl_policies (domain_id, url, url_hash, frequency_hours, next_run_at)
       select id, 'https://due.example/', '\\x01', 1, forager_now() - interval '1 hour' from domains
        where domain = 'due.example'`,
    );
    try {
      expect(await read()).toMatchObject({ status: 'degraded' });
    } finally {
      await server.database.execute("delete from domains where domain = 'due.example'");
    }
  });
});

describe('RabbitMQ in GET /health', () => {
  test('a broker that is away makes it degraded, not down, and says nothing about where it is', async () => {
    const { db, slowDb, config } = server.parts;
    const closed = await startTcpProxy('127.0.0.1', 1);
    const amqpUrl = `amqp://somebody:secret@127.0.0.1:${closed.port}`;
    closed.cut();
    const warnings: string[] = [];
    const warn = (sentence: string): void => void warnings.push(sentence);
    const parts = await openParts({ db, slowDb, warn, config: { ...config, amqpUrl } });
    try {
      const { health } = await parts.health.read();
      expect(health).toMatchObject({ status: 'degraded', services: { rabbitmq: { status: 'down' } } });
      expect(JSON.stringify(health)).not.toMatch(/somebody|secret|127\.0\.0\.1/);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).not.toContain('secret');
    } finally {
      await parts.close();
      await closed.close();
    }
  });
});

describe('GET /api/stats', () => {
  test('anybody may see how the crawl goes as a whole, and no site in it', async () => {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, status)
       values ('hidden.example', 'hidden.example', 'https://hidden.example', 'active') on conflict do nothing`,
    );
    const { status, body, text, headers } = await server.client().get('/api/stats');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(text).not.toContain('hidden.example');
    expect((body as Stats).domains).toMatchObject({ active: 1, pending: 0, leased: 0 });
    expect((body as Stats).successRate).toBeNull();
  });

  test('a second later it is read anew', async () => {
    const read = async (): Promise<Stats> => (await server.client().get('/api/stats')).body as Stats;
    const before = await read();
    await server.database.execute(
      `insert into stats_minutely values (date_trunc('minute', forager_now(), 'UTC'), 'w', 'pages', 5)
       on conflict (minute, worker_id, tally) do update set count = stats_minutely.count + 5`,
    );
    await expect
      .poll(async () => (await read()).totals.pages, { timeout: 10_000 })
      .toBe(before.totals.pages + 5);
  });

  test('a field it does not know is refused by name', async () => {
    expect((await server.client().get('/api/stats', { domain: 'x' })).problem?.code).toBe('invalid');
  });
});

describe('GET /api/stats/timeseries', () => {
  const path = '/api/stats/timeseries';

  test('is the last hour by the minute when nothing else is asked for', async () => {
    const { status, body } = await user.get(path);
    expect(status).toBe(200);
    const { series, stepSeconds } = body as Series;
    expect(stepSeconds).toBe(60);
    expect(series.map(({ metric, kind }) => [metric, kind])).toEqual([
      ['pages', 'counter'],
      ['errors', 'counter'],
    ]);
    // The hour is seldom a whole one.
    expect([60, 61]).toContain(series[0]?.values.length);
  });

  test.each([
    ['1m', '2026-01-01T00:00:00Z', 'older'],
    ['1m', undefined, 'points'],
    ['5m', undefined, 'points'],
  ])('steps of %s are refused where they are not kept or would be too many', async (step, given, _why) => {
    const from = given ?? new Date(Date.now() - 47 * 3_600_000).toISOString();
    const to = given === undefined ? new Date(Date.now() + 200 * 3_600_000).toISOString() : undefined;
    const { problem } = await user.get(path, { step, from, ...(to === undefined ? {} : { to }) });
    expect(problem).toMatchObject({ status: 400, code: 'invalid' });
  });

  test('a long time comes in coarse steps, by itself', async () => {
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    const stepOf = async (days: number): Promise<number> =>
      ((await user.get(path, { from: daysAgo(days) })).body as Series).stepSeconds;
    expect([await stepOf(0.1), await stepOf(1), await stepOf(7), await stepOf(300)]).toEqual([
      60, 300, 3600, 86_400,
    ]);
  });

  test.each([
    ['metrics', 'pages,nonsense'],
    ['metrics', "pages'; drop table urls --"],
    ['metrics', ''],
    ['metrics', 'status:999'],
    ['metrics', Array.from({ length: 21 }, (_, n) => `status:${200 + n}`).join(',')],
    ['from', 'yesterday'],
    ['from', '2026-01-01T00:00:00'],
    ['step', '7m'],
    ['order', 'asc'],
  ])('%s=%s is refused', async (name, value) => {
    expect((await user.get(path, { [name]: value })).problem).toMatchObject({ status: 400, code: 'invalid' });
  });

  test('a time that ends before it begins is refused', async () => {
    const { problem } = await user.get(path, { from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' });
    expect(problem?.code).toBe('invalid');
  });

  test('is for those who may read', async () => {
    expect((await server.client().get(path)).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get(path)).problem?.code).toBe('not-permitted');
  });
});

describe('GET /api/workers', () => {
  test('lists who is at work, who is dead, and strangers that hold domains', async () => {
    await server.database.execute(
      `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, heartbeat_at)
       values ('alive', 'i', 'worker', 'h', 'm', 1, 'p', '1', forager_now()),
              ('silent', 'i', 'crawl', 'h', 'm', 2, 'p', '1', forager_now() - interval '5 minutes')
       on conflict do nothing;
       update workers set duties = '{parse}' where id = 'alive'`,
    );
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, claimed_by, claim_expires_at)
       values ('held.example', 'held.example', 'https://held.example', 'stranger', forager_now() + interval '1 hour')
       on conflict do nothing`,
    );
    const { status, body } = await user.get('/api/workers');
    expect(status).toBe(200);
    const { items, strangers } = body as AnswerOf<typeof listWorkers>;
    expect(items.map(({ id, state, duties }) => [id, state, duties])).toEqual([
      ['alive', 'running', ['parse']],
      ['silent', 'dead', ['crawl', 'parse']],
    ]);
    expect(strangers).toEqual({ holders: 1, domains: 1 });
  });

  test('is for those who may read, and knows no fields', async () => {
    expect((await server.client().get('/api/workers')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/workers')).problem?.code).toBe('not-permitted');
    expect((await user.get('/api/workers', { state: 'dead' })).problem?.code).toBe('invalid');
  });
});

describe('GET /api/runs', () => {
  beforeAll(async () => {
    await server.database.execute(
      `insert into crawl_runs (crawl_key, settings, status, pages_count, finished_at)
       select sha256(n::text::bytea), '{"seeds": ["https://seed.example/"], "scope": "host"}',
              (case when n % 2 = 0 then 'finished' else 'running' end)::run_status, n,
              case when n % 2 = 0 then now() end
         from generate_series(1, 7) as n`,
    );
  });

  test('goes through all crawls, newest first, without the standing order', async () => {
    const seen: number[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await user.get('/api/runs', { limit: 3, ...(cursor ? { cursor } : {}) });
      const page = body as AnswerOf<typeof listRuns>;
      seen.push(...page.items.map(({ pages }) => pages));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test('can be asked for those in one state', async () => {
    const { items } = (await user.get('/api/runs', { status: 'finished' })).body as AnswerOf<typeof listRuns>;
    expect(items.map(({ pages, seeds }) => [pages, seeds])).toEqual(
      [6, 4, 2].map((n) => [n, ['https://seed.example/']]),
    );
  });

  test('what is not asked for as it should be is refused', async () => {
    expect((await user.get('/api/runs', { status: 'odd' })).problem?.code).toBe('invalid');
    expect((await user.get('/api/runs', { limit: 201 })).problem?.code).toBe('invalid');
    expect((await user.get('/api/runs', { cursor: 'xyz' })).problem?.code).toBe('bad-cursor');
    expect((await server.client().get('/api/runs')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/runs')).problem?.code).toBe('not-permitted');
  });

  test('one crawl is shown with what it counted and its domains', async () => {
    const { rows } = await server.database.execute<{ id: number }>(
      'select id from crawl_runs where pages_count = 6',
    );
    const id = rows[0]?.id ?? 0;
    await server.database.execute(
      `insert into crawl_run_tallies values ($1, 'status:200', 6), ($1, 'outcome:page', 6), ($1, 'skip:robots', 1)
       on conflict do nothing`,
      [id],
    );
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url) values ('run.example', 'run.example', 'https://run.example')
       on conflict do nothing`,
    );
    await server.database.execute(
      `insert into crawl_run_domains (run_id, domain_id, pages_count)
       select $1, id, 6 from domains where domain = 'run.example' on conflict do nothing`,
      [id],
    );
    const { status, body } = await user.get(`/api/runs/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{
        id,
        status: 'finished',
        pages: 6,
        statusCodes: { 200: 6 },
        outcomes: { page: 6 },
        skipped: { robots: 1 },
      },
      ...{ domainCount: 1, domains: [{ domain: 'run.example', status: 'pending', pages: 6 }] },
    });
  });

  test('one that there is not is not found; the standing order is none', async () => {
    expect((await user.get('/api/runs/4000')).problem).toMatchObject({ status: 404, code: 'unknown-run' });
    expect((await user.get('/api/runs/0')).problem?.code).toBe('invalid');
    expect((await user.get('/api/runs/abc')).problem?.code).toBe('invalid');
    expect((await server.client().get('/api/runs/1')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/runs/1')).problem?.code).toBe('not-permitted');
  });
});

describe('a server without workers', () => {
  test('adds up figures, measures, and looks for trouble by itself', async () => {
    const alone = await startTestServer();
    try {
      await alone.database.execute(
        `insert into stats_minutely values (date_trunc('minute', now() - interval '10 minutes', 'UTC'), 'w', 'pages', 7),
           (date_trunc('minute', now(), 'UTC'), 'w', 'fetches', 100), (date_trunc('minute', now(), 'UTC'), 'w', 'errors', 90)`,
      );
      const read = async (): Promise<unknown> => {
        const { rows } = await alone.database.execute(
          `select (select count::int from stats_totals where tally = 'pages') as pages,
                  (select value from stats_gauges where gauge = 'frontier' limit 1) as frontier,
                  (select code from alerts where resolved_at is null limit 1) as alert`,
        );
        return rows[0];
      };
      await expect
        .poll(read, { timeout: 90_000, interval: 500 })
        .toEqual({ pages: 7, frontier: 0, alert: 'high-error-rate' });
    } finally {
      await alone.close();
    }
  }, 120_000);
});
