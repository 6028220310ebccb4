/** Alerts: raised once, kept while they last, resolved when they are over; and what people do about them. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnswerOf } from '../../src/contract/endpoint.ts';
import type { listAlerts } from '../../src/contract/monitoring.ts';
import { evaluateAlerts } from '../../src/control/alerts/evaluate-alerts.ts';
import type { AlertRule } from '../../src/control/alerts/rule.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { advance } from '../support/moving-clock.ts';
import { plantDomain, plantPolicy, plantTask } from '../support/scheduling.ts';

let server: TestServer;
let user: ApiClient;
let admin: ApiClient;
beforeEach(async () => {
  server = await startTestServer();
  // The server itself looks for trouble every now and then; here it is the test that does.
  await server.database.execute(
    `insert into upkeep_jobs select name, 'infinity' from unnest(array['alerts', 'stats']) as name
     on conflict (name) do update set ran_at = excluded.ran_at`,
  );
  user = await server.as('user');
  admin = await server.as('admin');
  return () => server.close();
});

type Alerts = AnswerOf<typeof listAlerts>;

const evaluate = (): Promise<void> => evaluateAlerts({ db: server.parts.db, dataDir: undefined });

async function openAlerts(): Promise<Alerts['items']> {
  return ((await user.get('/api/alerts')).body as Alerts).items;
}

async function allAlerts(): Promise<Alerts['items']> {
  return ((await user.get('/api/alerts', { state: 'all' })).body as Alerts).items;
}

const codes = (alerts: Alerts['items']): string[] => alerts.map(({ code }) => code).sort();

/** What workers count in this minute. */
async function count(fetches: number, errors: number): Promise<void> {
  await server.database.execute(
    `insert into stats_minutely
     select date_trunc('minute', forager_now(), 'UTC'), 'w', t, n
       from unnest(array['fetches', 'errors'], array[$1::int, $2::int]) as v (t, n)
     on conflict (minute, worker_id, tally) do update set count = stats_minutely.count + excluded.count`,
    [fetches, errors],
  );
}

async function addWorker(id: string): Promise<void> {
  await server.database.execute(
    `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version,
                          started_at, heartbeat_at)
     values ($1, 'i', 'worker', 'host', 'm', 1, 'p', '1', forager_now(), forager_now())
     on conflict (id) do update set heartbeat_at = forager_now()`,
    [id],
  );
}

describe('high-error-rate', () => {
  test('is raised once for more than one error in five, stays while it lasts, and is resolved', async () => {
    await count(100, 21);
    await evaluate();
    await advance(server.database, { seconds: 15 });
    await evaluate();
    const [alert, ...others] = await openAlerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      code: 'high-error-rate',
      severity: 'critical',
      subject: '',
      resolvedAt: null,
    });
    expect(alert?.message).toContain('21 %');
    expect(Date.parse(alert?.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(alert?.raisedAt ?? ''));
    await advance(server.database, { minutes: 7 });
    await evaluate();
    expect(await openAlerts()).toEqual([]);
    expect((await allAlerts()).map(({ id, resolvedAt }) => [id, resolvedAt === null])).toEqual([
      [alert?.id, false],
    ]);
  });

  test.each([
    ['one error in five', 100, 20],
    ['too few fetches to say', 49, 49],
  ])('is not raised for %s', async (_, fetches, errors) => {
    await count(fetches, errors);
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });

  test('that comes back is another alert', async () => {
    await count(100, 50);
    await evaluate();
    await advance(server.database, { minutes: 7 });
    await evaluate();
    await count(100, 50);
    await evaluate();
    expect((await allAlerts()).map(({ resolvedAt }) => resolvedAt === null)).toEqual([true, false]);
  });
});

describe('frontier-backlog', () => {
  async function measure(size: number): Promise<void> {
    await server.database.execute(
      `insert into stats_gauges values (date_trunc('minute', forager_now(), 'UTC'), 'frontier', $1)
       on conflict (minute, gauge) do update set value = excluded.value`,
      [size],
    );
  }

  test('is raised after five minutes of growth, and resolved when it grows no more', async () => {
    let size = 1000;
    for (let minute = 0; minute < 5; minute += 1) {
      await measure(size);
      await evaluate();
      expect(await openAlerts(), `minute ${minute}`).toEqual([]);
      await advance(server.database, { minutes: 1 });
      size *= 1.12;
    }
    await measure(size);
    await evaluate();
    expect(codes(await openAlerts())).toEqual(['frontier-backlog']);
    await advance(server.database, { minutes: 1 });
    await measure(size * 1.05);
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });
});

describe('worker-silent', () => {
  test('is raised for each worker that fell silent, until it is heard of again', async () => {
    await addWorker('w1');
    await addWorker('w2');
    await addWorker('w3');
    // All were heard of after all were started.
    for (const id of ['w1', 'w2', 'w3']) await addWorker(id);
    await evaluate();
    expect(await openAlerts()).toEqual([]);
    await advance(server.database, { minutes: 2, seconds: 1 });
    await addWorker('w3');
    await evaluate();
    expect((await openAlerts()).map(({ code, subject }) => `${code} ${subject}`).sort()).toEqual([
      'worker-silent w1',
      'worker-silent w2',
    ]);
    await addWorker('w2');
    await server.database.execute(
      "update workers set state = 'stopped', stopped_at = forager_now() where id = 'w1'",
    );
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });

  test('ends when another worker was started in its place, on its machine', async () => {
    await addWorker('killed');
    await advance(server.database, { minutes: 2, seconds: 1 });
    await evaluate();
    expect((await openAlerts()).map(({ subject }) => subject)).toEqual(['killed']);
    await addWorker('elsewhere');
    await server.database.execute("update workers set host = 'another' where id = 'elsewhere'");
    await evaluate();
    expect((await openAlerts()).map(({ subject }) => subject)).toEqual(['killed']);
    await addWorker('successor');
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });
});

describe('no-workers', () => {
  async function addDomain(): Promise<void> {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, updated_at)
       values ('due.example', 'due.example', 'https://due.example', forager_now())`,
    );
  }

  test('is raised when something has been due for two minutes and nobody was there', async () => {
    await addDomain();
    await evaluate();
    expect(await openAlerts()).toEqual([]);
    await advance(server.database, { minutes: 3 });
    await evaluate();
    expect(codes(await openAlerts())).toEqual(['no-workers']);
    await addWorker('w');
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });

  test('is not raised when nothing is due', async () => {
    await advance(server.database, { minutes: 3 });
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });
});

describe('no-scheduler', () => {
  test('is raised when tasks or policies have been due for two minutes and nobody led, and is over when one does', async () => {
    const domain = await plantDomain(server.database, 'due.example', { is_active: false });
    await plantTask(server.database, domain);
    await plantPolicy(server.database, domain);
    await evaluate();
    expect(await openAlerts()).toEqual([]);
    await advance(server.database, { minutes: 3 });
    await evaluate();
    const alerts = await openAlerts();
    expect(codes(alerts)).toEqual(['no-scheduler']);
    expect(JSON.stringify(alerts)).toContain('Tasks and policies have been due');
    await server.database.execute(
      `insert into schedulers (id, host, pid, program_version, leads_since, heartbeat_at)
       values ('s', 'h', 1, '1', forager_now(), forager_now())`,
    );
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });

  test('is not raised for what bots pull, nor for what is switched off', async () => {
    const domain = await plantDomain(server.database, 'due.example', { is_active: false });
    await plantTask(server.database, domain, { executor: 'bot' });
    await plantPolicy(server.database, domain, { is_enabled: false });
    await advance(server.database, { minutes: 3 });
    await evaluate();
    expect(await openAlerts()).toEqual([]);
  });
});

describe('disk-low', () => {
  test('is only told by whoever has the disk', async () => {
    await server.database.execute(
      "insert into alerts (code, severity, message) values ('disk-low', 'critical', 'nearly full')",
    );
    await evaluate();
    expect(codes(await openAlerts())).toEqual(['disk-low']);
  });
});

describe('the rules', () => {
  const rule = (code: string, find: AlertRule['find']): AlertRule => ({
    ...{ code, severity: 'warning', hint: 'do something', find },
  });

  test('one that fails keeps no other from being evaluated, and leaves its own alerts as they are', async () => {
    const ground = { db: server.parts.db, dataDir: undefined };
    const wrong = async () => [{ subject: 's', message: 'wrong' }];
    await evaluateAlerts(ground, [rule('a', wrong), rule('b', wrong)]);
    const broken = rule('a', () => Promise.reject(new Error('broken')));
    await expect(evaluateAlerts(ground, [broken, rule('b', async () => [])])).rejects.toThrow('broken');
    expect(codes(await openAlerts())).toEqual(['a']);
  });

  test('evaluated by several at once they raise each alert once', async () => {
    await count(100, 50);
    await Promise.all(Array.from({ length: 5 }, evaluate));
    expect(codes(await allAlerts())).toEqual(['high-error-rate']);
  });
});

describe('GET /api/alerts', () => {
  beforeEach(async () => {
    await server.database.execute(
      `insert into alerts (code, subject, severity, message, resolved_at)
       select 'worker-silent', 'w' || n, case when n % 2 = 0 then 'critical' else 'warning' end, 'silent',
              case when n > 4 then now() end
         from generate_series(1, 8) as n`,
    );
  });

  test('goes through those that are not over, newest first, or through all', async () => {
    const walk = async (query: Record<string, string>): Promise<string[]> => {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = (await user.get('/api/alerts', { limit: 3, ...query, ...(cursor ? { cursor } : {}) }))
          .body as Alerts;
        seen.push(...page.items.map(({ subject }) => subject));
        cursor = page.nextCursor;
      } while (cursor);
      return seen;
    };
    expect(await walk({})).toEqual(['w4', 'w3', 'w2', 'w1']);
    expect(await walk({ state: 'all' })).toEqual(['w8', 'w7', 'w6', 'w5', 'w4', 'w3', 'w2', 'w1']);
    expect(await walk({ state: 'all', severity: 'critical' })).toEqual(['w8', 'w6', 'w4', 'w2']);
  });

  test('what is not asked for as it should be, or by others, is refused', async () => {
    expect((await user.get('/api/alerts', { state: 'odd' })).problem?.code).toBe('invalid');
    expect((await user.get('/api/alerts', { severity: 'info' })).problem?.code).toBe('invalid');
    expect((await user.get('/api/alerts', { cursor: 'e30' })).problem?.code).toBe('bad-cursor');
    expect((await server.client().get('/api/alerts')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/alerts')).problem?.code).toBe('not-permitted');
  });
});

describe('POST /api/alerts/:id/acknowledge', () => {
  async function raise(): Promise<number> {
    await count(100, 50);
    await evaluate();
    return (await openAlerts())[0]?.id ?? 0;
  }

  test('says who looks after it, once, and is written into the audit log', async () => {
    const id = await raise();
    const first = await admin.post(`/api/alerts/${id}/acknowledge`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ id, acknowledgedBy: expect.stringContaining('user:admin') });
    const other = await server.as('admin');
    const second = await other.post(`/api/alerts/${id}/acknowledge`);
    expect(second.body).toEqual(first.body);
    const { rows } = await server.database.execute(
      "select action, target, details from audit_log where action = 'alert.acknowledge'",
    );
    expect(rows[0]).toEqual({
      ...{ action: 'alert.acknowledge', target: `alert ${id}` },
      details: { code: 'high-error-rate', subject: '' },
    });
    // Looking after it does not make it go away.
    await evaluate();
    expect(await openAlerts()).toMatchObject([{ id, acknowledgedAt: expect.any(String) }]);
  });

  test('one that is over has nothing left to look after', async () => {
    const id = await raise();
    await server.database.execute('update alerts set resolved_at = forager_now()');
    expect((await admin.post(`/api/alerts/${id}/acknowledge`)).problem).toMatchObject({
      status: 409,
      code: 'alert-over',
    });
  });

  test('what there is not, and who may not', async () => {
    const id = await raise();
    expect((await admin.post('/api/alerts/4000/acknowledge')).problem).toMatchObject({
      status: 404,
      code: 'unknown-alert',
    });
    expect((await admin.post('/api/alerts/x/acknowledge')).problem?.code).toBe('invalid');
    expect((await admin.post(`/api/alerts/${id}/acknowledge`, { note: 'x' })).problem?.code).toBe('invalid');
    const path = `/api/alerts/${id}/acknowledge`;
    expect((await server.client().post(path)).problem?.code).toBe('not-logged-in');
    expect((await user.post(path)).problem?.code).toBe('not-permitted');
    expect((await (await server.as('bot')).post(path)).problem?.code).toBe('not-permitted');
    expect((await server.database.execute('select from audit_log')).rowCount).toBe(0);
  });
});
