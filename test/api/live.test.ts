/** Live events through a real server: what reaches a subscriber, in which order, and what becomes of the stream. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_MISSED } from '../../src/contract/live.ts';
import { inTransaction, type Transaction } from '../../src/platform/transaction.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { type LiveSubscriber, type SubscribeOptions, subscribeTo } from '../support/live.ts';

let server: TestServer;
let reader: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startTestServer();
  reader = { authorization: `Bearer ${await server.keyOf('user')}` };
});
afterAll(() => server.close());

const subscribe = (query: SubscribeOptions['query'] = {}, headers = {}): Promise<LiveSubscriber> =>
  subscribeTo(server.url, { query, headers: { ...reader, ...headers } });

let names = 0;
async function addDomain(): Promise<{ id: number; domain: string }> {
  names += 1;
  const domain = `live-${names}.example`;
  const { rows } = await server.database.execute<{ id: number }>(
    'insert into domains (domain, parent_domain, base_url) values ($1, $1, $2) returning id',
    [domain, `https://${domain}/`],
  );
  return { id: rows[0]?.id ?? 0, domain };
}

const MOVE = {
  active: "update domains set status = 'active', status_code = 'claimed' where id = $1",
  exhausted: "update domains set status = 'exhausted', status_code = 'all_done' where id = $1",
  pending: "update domains set status = 'pending', status_code = 'new_urls' where id = $1",
};
const move = (id: number, to: keyof typeof MOVE) => server.database.execute(MOVE[to], [id]);

const moves = ({ received }: LiveSubscriber) =>
  received.flatMap(({ event }) => (event.type === 'domain' ? [`${event.domain} ${event.to}`] : []));

/** A transaction that stays open until it is told to end. */
function holdTransaction(work: (tx: Transaction) => Promise<unknown>) {
  let commit = (): void => undefined;
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const over = inTransaction(server.database.db, async (tx) => {
    await work(tx);
    begun();
    await mayCommit;
  });
  return {
    hasBegun,
    commit: () => {
      commit();
      return over;
    },
  };
}

describe('GET /api/events', () => {
  test('says hello, and is a stream that nobody on the way keeps or collects', async () => {
    const { response, received } = await subscribe();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(received[0]?.event.type).toBe('hello');
  });

  test('anonymous is asked to log in, a bot is not permitted', async () => {
    expect((await server.client().get('/api/events')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/events')).problem?.code).toBe('not-permitted');
  });

  test('types, domains and places that make no sense are refused', async () => {
    const user = await server.as('user');
    const ask = async (query: Record<string, string>) => (await user.get('/api/events', query)).problem?.code;
    expect(await ask({ types: 'rates,nonsense' })).toBe('invalid');
    expect(await ask({ types: '' })).toBe('invalid');
    expect(await ask({ nonsense: '1' })).toBe('invalid');
    expect(await ask({ after: '12\r\nid: 3' })).toBe('invalid');
    expect(await ask({ domain: 'nobody-knows.example' })).toBe('unknown-domain');
    expect(await ask({ domain: ':::' })).toBe('bad-domain');
  });

  test('somebody who wants the headers only is not left waiting', async () => {
    const response = await fetch(new URL('/api/events', server.url), { method: 'HEAD', headers: reader });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
  });
});

describe('changes of state', () => {
  test('arrive in their order, with who made them and why', async () => {
    const subscriber = await subscribe({ types: 'domain' });
    const { id, domain } = await addDomain();
    await inTransaction(server.database.db, async (tx) => {
      await tx.query("select set_config('forager.actor', 'user:anna', true)");
      await tx.query("select set_config('forager.reason', $1, true)", [
        'a\nline\r\n\r\ndata: {}\n\nbreak \u2028',
      ]);
      await tx.query(MOVE.active, [id]);
    });
    await move(id, 'exhausted');
    await subscriber.await('domain', ({ to }) => to === 'exhausted');
    expect(moves(subscriber)).toEqual([`${domain} active`, `${domain} exhausted`]);
    const [, first] = subscriber.received;
    expect(first?.event).toMatchObject({
      ...{ domain, from: 'pending', to: 'active', code: 'claimed', actor: 'user:anna' },
      reason: 'a\nline\r\n\r\ndata: {}\n\nbreak \u2028',
    });
    expect(first?.id).toMatch(/^\d+/);
  });

  test('a transaction that commits after later ones is not passed over', async () => {
    const subscriber = await subscribe({ types: 'domain' });
    const [slow, quick] = [await addDomain(), await addDomain()];
    const held = holdTransaction((tx) => tx.query(MOVE.active, [slow.id]));
    await held.hasBegun;
    await move(quick.id, 'active');
    await subscriber.await('domain', ({ domain }) => domain === quick.domain);
    await held.commit();
    await subscriber.await('domain', ({ domain }) => domain === slow.domain);
    expect(moves(subscriber)).toEqual([`${quick.domain} active`, `${slow.domain} active`]);
  });

  test('a transaction that was under way before anybody listened is not passed over either', async () => {
    const [slow, quick] = [await addDomain(), await addDomain()];
    await move((await addDomain()).id, 'active');
    const held = holdTransaction((tx) => tx.query(MOVE.active, [slow.id]));
    await held.hasBegun;
    await move(quick.id, 'active');
    const subscriber = await subscribe({ types: 'domain' });
    await held.commit();
    await subscriber.await('domain', ({ domain }) => domain === slow.domain);
    expect(moves(subscriber)).toEqual([`${slow.domain} active`]);
  });

  test('of one domain only, for whoever asked for that', async () => {
    const [wanted, other] = [await addDomain(), await addDomain()];
    const subscriber = await subscribe({ types: 'domain', domain: wanted.domain.toUpperCase() });
    await move(other.id, 'active');
    await move(wanted.id, 'active');
    await subscriber.await('domain');
    await move(wanted.id, 'exhausted');
    await subscriber.await('domain', ({ to }) => to === 'exhausted');
    expect(moves(subscriber)).toEqual([`${wanted.domain} active`, `${wanted.domain} exhausted`]);
  });
});

describe('whoever reconnects', () => {
  test('is sent what happened in between, once, and goes on', async () => {
    const { id, domain } = await addDomain();
    const first = await subscribe({ types: 'domain' });
    await move(id, 'active');
    await first.await('domain');
    first.hangUp();
    await first.closed;
    await move(id, 'exhausted');
    const second = await subscribe({ types: 'domain' }, { 'last-event-id': first.lastId() });
    await second.await('domain', ({ to }) => to === 'exhausted');
    await move(id, 'pending');
    await second.await('domain', ({ to }) => to === 'pending');
    expect(moves(second)).toEqual([`${domain} exhausted`, `${domain} pending`]);
  });

  test('may name the place in the address, and for one domain', async () => {
    const [wanted, other] = [await addDomain(), await addDomain()];
    const first = await subscribe({ types: 'domain' });
    const place = first.lastId();
    await move(wanted.id, 'active');
    await move(other.id, 'active');
    await first.await('domain', ({ domain }) => domain === other.domain);
    const second = await subscribe({ types: 'domain', after: place, domain: wanted.domain });
    await second.await('domain');
    await move(wanted.id, 'exhausted');
    await second.await('domain', ({ to }) => to === 'exhausted');
    expect(moves(second)).toEqual([`${wanted.domain} active`, `${wanted.domain} exhausted`]);
  });

  test('is sent what was committed late, under a number that it had passed already', async () => {
    const [slow, quick] = [await addDomain(), await addDomain()];
    const first = await subscribe({ types: 'domain' });
    const held = holdTransaction((tx) => tx.query(MOVE.active, [slow.id]));
    await held.hasBegun;
    await move(quick.id, 'active');
    await first.await('domain', ({ domain }) => domain === quick.domain);
    first.hangUp();
    await first.closed;
    await held.commit();
    const second = await subscribe({ types: 'domain' }, { 'last-event-id': first.lastId() });
    await second.await('domain', ({ domain }) => domain === slow.domain);
    expect(moves(second)).toEqual([`${slow.domain} active`]);
    // Its place has moved on: nothing of it comes a second time.
    const third = await subscribe({ types: 'domain' }, { 'last-event-id': second.lastId() });
    await move(quick.id, 'exhausted');
    await third.await('domain', ({ to }) => to === 'exhausted');
    expect(moves(third)).toEqual([`${quick.domain} exhausted`]);
  });

  test('is told to read everything again when too much happened, or when the place is unknown', async () => {
    const { id } = await addDomain();
    const first = await subscribe({ types: 'domain' });
    await server.database.execute(
      `insert into domain_events (domain_id, from_status, to_status, code)
       select $1, 'pending', 'active', 'claimed' from generate_series(1, $2)`,
      [id, MOST_MISSED + 1],
    );
    await first.await('domain');
    const late = await subscribe({ types: 'domain' }, { 'last-event-id': first.received[0]?.id });
    expect((await late.await('gap')).event.reason).toBe('too-many');
    const lost = await subscribe({ types: 'domain' }, { 'last-event-id': '999999999999' });
    expect((await lost.await('gap')).event.reason).toBe('unknown-place');
    const odd = await subscribe({ types: 'domain' }, { 'last-event-id': 'what?' });
    expect((await odd.await('gap')).event.reason).toBe('unknown-place');
    await move(id, 'active');
    const isLast = (event: { domain: string; code: string; id: number }) => event.id > 0;
    for (const subscriber of [late, lost, odd]) {
      await subscriber.await('domain', isLast);
      expect(moves(subscriber)).toHaveLength(1);
    }
  });

  test('is sent as many as are promised', async () => {
    const { id } = await addDomain();
    const first = await subscribe({ types: 'domain' });
    await server.database.execute(
      `insert into domain_events (domain_id, from_status, to_status, code)
       select $1, 'pending', 'active', 'claimed' from generate_series(1, $2)`,
      [id, MOST_MISSED],
    );
    const place = first.received[0]?.id;
    await first.await('domain');
    const second = await subscribe({ types: 'domain' }, { 'last-event-id': place });
    await move(id, 'active');
    await second.await('domain', ({ from, id: number }) => from === 'pending' && number > 0);
    await move(id, 'exhausted');
    await second.await('domain', ({ to }) => to === 'exhausted');
    expect(moves(second)).toHaveLength(MOST_MISSED + 2);
  });
});

describe('besides', () => {
  test('rates come by themselves and count what was committed', async () => {
    const subscriber = await subscribe({ types: 'rates' });
    const before = await subscriber.await('rates');
    await server.database.execute(
      `insert into stats_minutely (minute, worker_id, tally, count)
       values (date_trunc('minute', forager_now(), 'UTC'), 'w', 'pages', 40),
              (date_trunc('minute', forager_now(), 'UTC'), 'w', 'bytes', 4000)`,
    );
    const { event } = await subscriber.await('rates', ({ pages }) => pages === before.event.pages + 40);
    expect(event.pagesPerSecond).toBeGreaterThan(0);
    expect(event.bytesPerSecond).toBeCloseTo(event.pagesPerSecond * 100);
    expect(event.errorsPerSecond).toBe(0);
    expect(subscriber.received.every(({ event: { type } }) => type === 'hello' || type === 'rates')).toBe(
      true,
    );
  });

  test('an alert is raised, acknowledged and resolved', async () => {
    const { execute } = server.database;
    await execute("insert into alerts (code, severity, message) values ('old', 'warning', 'There before')");
    const subscriber = await subscribe({ types: 'alert' });
    const { rows } = await execute<{ id: number }>(
      "insert into alerts (code, severity, message) values ('errors', 'critical', 'Too many') returning id",
    );
    const id = rows[0]?.id;
    await subscriber.await('alert', ({ change }) => change === 'raised');
    await execute('update alerts set acknowledged_at = now() where id = $1', [id]);
    await subscriber.await('alert', ({ change }) => change === 'acknowledged');
    await execute('update alerts set resolved_at = now() where id = $1', [id]);
    await subscriber.await('alert', ({ change }) => change === 'resolved');
    // Over before anybody looked: both are told.
    await execute(
      "insert into alerts (code, severity, message, resolved_at) values ('short', 'warning', 'Gone', now())",
    );
    await subscriber.await('alert', ({ code, change }) => code === 'short' && change === 'resolved');
    const changes = subscriber.received.flatMap(({ event }) =>
      event.type === 'alert' ? [`${event.code} ${event.change}`] : [],
    );
    expect(changes).toEqual([
      ...['errors raised', 'errors acknowledged', 'errors resolved'],
      ...['short raised', 'short resolved'],
    ]);
  });

  test('a job comes along', async () => {
    const { execute } = server.database;
    const subscriber = await subscribe({ types: 'job' });
    // One that is said to be at work elsewhere: nobody here takes it.
    const { rows } = await execute<{ id: number }>(
      `insert into jobs (kind, params, state, created_by, runner, runner_until, started_at)
       values ('purge-pages', '{}', 'running', 'test', 'elsewhere', now() + interval '1 day', now()) returning id`,
    );
    const [{ id } = { id: 0 }] = rows;
    await subscriber.await('job', (job) => job.id === id && job.done === 0);
    await execute('update jobs set done_count = 7, total_count = 9 where id = $1', [id]);
    await subscriber.await('job', (job) => job.id === id && job.done === 7 && job.total === 9);
    await execute("update jobs set state = 'done', finished_at = now() where id = $1", [id]);
    await subscriber.await('job', (job) => job.id === id && job.state === 'done');
  });

  test('a worker appears, changes, falls silent and leaves', async () => {
    const { execute } = server.database;
    const subscriber = await subscribe({ types: 'worker' });
    await execute(
      `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version)
       values ('w1', 'a', 'worker', 'h', 'm', 1, 'x', '0')`,
    );
    await subscriber.await('worker', ({ change }) => change === 'appeared');
    await execute("update workers set state = 'draining'");
    await subscriber.await('worker', ({ change }) => change === 'changed');
    await execute("update workers set heartbeat_at = now() - interval '1 hour'");
    await subscriber.await('worker', ({ change }) => change === 'dead');
    await execute('delete from workers');
    const { event } = await subscriber.await('worker', ({ change }) => change === 'gone');
    expect(event).toMatchObject({ id: 'w1', host: 'h' });
  });
});

describe('what people do', () => {
  test('to domains is told with who did it; what they do to accounts is not', async () => {
    const admin = await server.as('admin');
    const { domain } = await addDomain();
    const live = await subscribe({ types: 'act' });
    const record = "insert into audit_log (actor, action, target) values ('user:anna', $1, 'bob')";
    for (const action of ['user.create', 'key.create', 'login', 'domains']) {
      await server.database.execute(record, [action]);
    }
    await admin.post(`/api/admin/domains/${domain}/deactivate`);
    await admin.patch(`/api/admin/domains/${domain}`, { crawlDelayMs: 5000 });
    await live.await('act', ({ action }) => action === 'domain.settings');
    const told = live.received.flatMap(({ event }) => (event.type === 'act' ? [event] : []));
    expect(told).toMatchObject([
      { action: 'domain.deactivate', target: domain, actor: expect.stringContaining('user:admin') },
      { action: 'domain.settings', target: domain },
    ]);
  });

  test('in a transaction that takes its time is told when it is committed', async () => {
    const live = await subscribe({ types: 'act' });
    const record = "insert into audit_log (actor, action, target) values ('user:anna', 'domain.reset', $1)";
    const late = holdTransaction((tx) => tx.query(record, ['late.example']));
    await late.hasBegun;
    await server.database.execute(record, ['quick.example']);
    await live.await('act', ({ target }) => target === 'quick.example');
    await late.commit();
    await live.await('act', ({ target }) => target === 'late.example');
  });
});
