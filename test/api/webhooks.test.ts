/** Webhooks over HTTP: who is told of what, and what became of every message. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebhookSender } from '../../src/control/webhooks/webhook-sender.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { answerWith, isGenuine, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestServer;
let admin: ApiClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  server = await startTestServer({ allowPrivate: true });
  admin = await server.as('admin');
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});
beforeEach(async () => {
  await server.database.execute('delete from webhooks');
  receiver.messages.length = 0;
});

interface Made {
  readonly webhook: { readonly id: number; readonly url: string };
  readonly secret: string;
}

async function add(path = '/hook', events = ['webhook.test'], more: object = {}): Promise<Made> {
  const { status, body } = await admin.post('/api/admin/webhooks', {
    url: `${receiver.url}${path}`,
    events,
    ...more,
  });
  expect(status).toBe(201);
  return body as Made;
}

function startSender(): WebhookSender {
  const sender = new WebhookSender({ db: server.database.db, config: server.parts.config, timeoutMs: 3000 });
  sender.start();
  onTestFinished(() => sender.stop(0));
  return sender;
}

const place = (id: number, rest = ''): string => `/api/admin/webhooks/${id}${rest}`;
const idOf = (answer: ApiAnswer): number => (answer.body as { id: number }).id;

describe('a webhook', () => {
  test('is made with a secret that is shown this once and nowhere else', async () => {
    const answer = await admin.post('/api/admin/webhooks', {
      ...{
        url: 'https://hooks.example/x?token=abc',
        description: 'orders',
        events: ['task.failed', 'task.failed'],
      },
    });
    const { webhook, secret } = answer.body as Made;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(place(webhook.id));
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      ...{ url: 'https://hooks.example/x?token=abc', description: 'orders', events: ['task.failed'] },
      ...{ isEnabled: true, disabledReason: null, failureCount: 0, previousSecretUntil: null },
    });
    for (const path of ['/api/admin/webhooks', place(webhook.id), place(webhook.id, '/deliveries')]) {
      expect((await admin.get(path)).text).not.toContain(secret.slice(6));
    }
    const stored = await server.database.db.query<{ row: string }>(
      "select encode(secret, 'base64') || encode(secret, 'escape') as row from webhooks",
    );
    expect(stored.rows[0]?.row).not.toContain(secret.slice(6, 30));
    const audit = await server.database.db.query<{ row: string }>(
      'select audit_log::text as row from audit_log',
    );
    const acts = audit.rows.map(({ row }) => row).join();
    expect(acts).toContain('webhook.create');
    expect(acts).not.toContain(secret.slice(6, 30));
    expect(acts).not.toContain('token=abc');
    expect(server.log.join()).not.toContain(secret.slice(6, 30));
  });

  test('can be given a secret', async () => {
    const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
    expect((await add('/own', ['task.failed'], { secret })).secret).toBe(secret);
  });

  test('is listed, shown, changed and removed', async () => {
    const made = [await add('/1'), await add('/2'), await add('/3')];
    const ids = made.map(({ webhook }) => webhook.id);
    const first = await admin.get('/api/admin/webhooks', { limit: 2 });
    const { items, nextCursor } = first.body as { items: { id: number }[]; nextCursor: string };
    expect(items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const rest = await admin.get('/api/admin/webhooks', { limit: 2, cursor: nextCursor });
    expect(rest.body).toMatchObject({ items: [{ id: ids[0] }], nextCursor: null });
    const id = ids[0] ?? 0;
    const changed = await admin.patch(place(id), {
      ...{ events: ['domain.blocked'], description: 'text', isEnabled: false, url: `${receiver.url}/new` },
    });
    expect(changed.body).toMatchObject({
      ...{ events: ['domain.blocked'], description: 'text', isEnabled: false, url: `${receiver.url}/new` },
    });
    expect((await admin.patch(place(id), { description: null })).body).toMatchObject({ description: null });
    expect((await admin.get(place(id))).body).toMatchObject({ isEnabled: false, description: null });
    expect((await admin.delete(place(id))).status).toBe(204);
    expect((await admin.get(place(id))).problem?.code).toBe('unknown-webhook');
  });

  test.each([
    [{ url: 'https://a.example/', events: [] }, 'invalid'],
    [{ url: 'https://a.example/', events: ['task.eaten'] }, 'invalid'],
    [{ url: 'https://a.example/' }, 'invalid'],
    [{ events: ['task.failed'] }, 'invalid'],
    [{ url: 'https://a.example/', events: ['task.failed'], description: 'two\nlines' }, 'invalid'],
    [{ url: 'ftp://a.example/', events: ['task.failed'] }, 'bad-webhook-url'],
    [{ url: 'https://me:geheim@a.example/', events: ['task.failed'] }, 'bad-webhook-url'],
    [{ url: 'https://a.example/', events: ['task.failed'], secret: 'geheim' }, 'bad-webhook-secret'],
  ])('%j is refused', async (body, code) => {
    const { problem, text } = await admin.post('/api/admin/webhooks', body);
    expect(problem).toMatchObject({ status: 400, code });
    expect(text).not.toContain('geheim');
  });

  test('nothing to change is refused, and what is not there is a 404 everywhere', async () => {
    const { webhook } = await add();
    expect((await admin.patch(place(webhook.id), {})).problem?.code).toBe('invalid');
    const long = { url: `https://a.example/${'x'.repeat(2100)}` };
    expect((await admin.patch(place(webhook.id), long)).problem?.code).toBe('invalid');
    expect((await admin.patch(place(webhook.id), { url: 'nonsense' })).problem?.code).toBe('bad-webhook-url');
    for (const answer of [
      ...[await admin.get(place(9999)), await admin.patch(place(9999), { isEnabled: true })],
      ...[await admin.delete(place(9999)), await admin.post(place(9999, '/test'))],
      ...[await admin.post(place(9999, '/rotate-secret')), await admin.get(place(9999, '/deliveries'))],
    ]) {
      expect(answer.problem).toMatchObject({ status: 404, code: 'unknown-webhook' });
    }
    for (const answer of [
      ...[await admin.get('/api/admin/webhook-deliveries/9999')],
      ...[await admin.post('/api/admin/webhook-deliveries/9999/replay')],
    ]) {
      expect(answer.problem).toMatchObject({ status: 404, code: 'unknown-delivery' });
    }
  });

  test('there are at most a hundred', async () => {
    await server.database.execute(
      "insert into webhooks (url, events, secret) select 'https://a.example/', '{task.failed}', '' from generate_series(1, 100)",
    );
    const { problem } = await admin.post('/api/admin/webhooks', {
      url: 'https://a.example/',
      events: ['task.failed'],
    });
    expect(problem).toMatchObject({ status: 409, code: 'too-many-webhooks' });
  });

  test('is an administrator’s matter', async () => {
    const { webhook } = await add();
    for (const [method, path] of [
      ['GET', '/api/admin/webhooks'],
      ['POST', '/api/admin/webhooks'],
      ['GET', place(webhook.id)],
      ['PATCH', place(webhook.id)],
      ['DELETE', place(webhook.id)],
      ['POST', place(webhook.id, '/test')],
      ['POST', place(webhook.id, '/rotate-secret')],
      ['GET', place(webhook.id, '/deliveries')],
      ['GET', '/api/admin/webhook-deliveries/1'],
      ['POST', '/api/admin/webhook-deliveries/1/replay'],
    ] as const) {
      expect((await server.client().request(method, path)).status).toBe(401);
      for (const role of ['user', 'bot'] as const) {
        expect((await (await server.as(role)).request(method, path)).status).toBe(403);
      }
    }
  });
});

describe('where private places are not allowed', () => {
  let strict: TestServer;
  let client: ApiClient;
  beforeAll(async () => {
    strict = await startTestServer();
    client = await strict.as('admin');
  });
  afterAll(() => strict.close());

  test.each([
    ...[
      'http://127.0.0.1:8080/',
      'http://localhost/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data/',
    ],
    ...['http://10.1.2.3/', 'http://intranet/', 'http://2130706433/', 'http://[::ffff:7f00:1]/'],
  ])('%s is refused with a reason, when it is made and when it is changed', async (url) => {
    const { problem } = await client.post('/api/admin/webhooks', { url, events: ['task.failed'] });
    expect(problem).toMatchObject({ status: 400, code: 'bad-webhook-url' });
    expect(problem?.detail.length).toBeGreaterThan(40);
    const { body } = await client.post('/api/admin/webhooks', {
      url: 'https://a.example/',
      events: ['task.failed'],
    });
    const changed = await client.patch(place((body as Made).webhook.id), { url });
    expect(changed.problem?.code).toBe('bad-webhook-url');
  });
});

describe('messages', () => {
  test('a test is sent, logged, and can be sent again with the same id', async () => {
    receiver.on('/hook', answerWith(200, 'thank you'));
    const { webhook, secret } = await add();
    const ordered = await admin.post(place(webhook.id, '/test'));
    expect(ordered.status).toBe(202);
    const delivery = `/api/admin/webhook-deliveries/${idOf(ordered)}`;
    expect(ordered.headers.get('location')).toBe(delivery);
    expect(ordered.body).toMatchObject({ event: 'webhook.test', state: 'pending', attemptsCount: 0 });
    startSender();
    const sent = async (attempts: number) =>
      waitUntil(async () => {
        const body = (await admin.get(delivery)).body as {
          state: string;
          attempts: unknown[];
          messageId: string;
        };
        return body.state === 'delivered' && body.attempts.length === attempts ? body : undefined;
      });
    const shown = await sent(1);
    expect(shown).toMatchObject({
      ...{
        lastStatus: 200,
        attemptsCount: 1,
        payload: { type: 'webhook.test', data: { webhookId: webhook.id } },
      },
      attempts: [{ httpStatus: 200, error: null, answer: 'thank you' }],
    });
    expect((await admin.post(`${delivery}/replay`)).status).toBe(202);
    await sent(2);
    expect(receiver.messages.map(({ id }) => id)).toEqual([shown.messageId, shown.messageId]);
    for (const message of receiver.messages) expect(isGenuine(message, secret)).toBe(true);
    const list = await admin.get(place(webhook.id, '/deliveries'), { state: 'delivered' });
    expect(list.body).toMatchObject({ items: [{ id: idOf(ordered), state: 'delivered' }], nextCursor: null });
    expect((await admin.get(place(webhook.id, '/deliveries'), { state: 'failed' })).body).toMatchObject({
      items: [],
    });
    expect((await admin.get(place(webhook.id, '/deliveries?state=eaten'))).problem?.code).toBe('invalid');
  });

  test('to one that is off are refused with the reason', async () => {
    const { webhook } = await add();
    const ordered = await admin.post(place(webhook.id, '/test'));
    await server.database.execute(
      "update webhooks set is_enabled = false, disabled_reason = 'its server answered 410 Gone'",
    );
    for (const path of [
      place(webhook.id, '/test'),
      `/api/admin/webhook-deliveries/${idOf(ordered)}/replay`,
    ]) {
      const { problem } = await admin.post(path);
      expect(problem).toMatchObject({ status: 409, code: 'webhook-disabled' });
      expect(problem?.detail).toContain('410 Gone');
      expect(problem?.hint).toContain('PATCH /api/admin/webhooks');
    }
  });

  test('are signed with both secrets after a rotation', async () => {
    const { webhook, secret: old } = await add();
    const { body } = await admin.post(place(webhook.id, '/rotate-secret'));
    const { secret } = body as Made;
    expect(secret).not.toBe(old);
    expect(body).toMatchObject({ webhook: { previousSecretUntil: expect.any(String) } });
    await admin.post(place(webhook.id, '/test'));
    startSender();
    await waitUntil(() => (receiver.messages.length === 1 ? true : undefined));
    for (const message of receiver.messages) {
      expect([isGenuine(message, old), isGenuine(message, secret)]).toEqual([true, true]);
    }
    const now = await admin.post(place(webhook.id, '/rotate-secret'), { graceHours: 0 });
    expect(now.body).toMatchObject({ webhook: { previousSecretUntil: null } });
    expect((await admin.post(place(webhook.id, '/rotate-secret'), { graceHours: 169 })).problem?.code).toBe(
      'invalid',
    );
    expect((await admin.post(place(webhook.id, '/rotate-secret'), { secret: 'x' })).problem?.code).toBe(
      'bad-webhook-secret',
    );
  });

  test('tell of tasks, blocked domains and alerts those who asked for it', async () => {
    const all = await add('/all', [
      'task.completed',
      'task.failed',
      'domain.blocked',
      'alert.raised',
      'alert.resolved',
    ]);
    await add('/none', ['product.changed']);
    const { execute } = server.database;
    await execute(
      "insert into domains (domain, parent_domain, base_url) values ('told.example', 'told.example', 'https://told.example')",
    );
    await execute(`insert into crawl_tasks (domain_id, url, url_hash, status)
      select id, 'https://told.example/' || n, sha256(n::text::bytea), 'crawling' from domains, generate_series(1, 2) n`);
    await execute("update crawl_tasks set status = 'completed', http_status = 200 where url like '%/1'");
    await execute(
      "update crawl_tasks set status = 'failed', error_message = 'It did not answer.' where url like '%/2'",
    );
    for (const [status, code] of [
      ['active', 'claimed'],
      ['blocked', 'forbidden'],
    ]) {
      await execute('update domains set status = $1, status_code = $2', [status, code]);
    }
    await execute(
      "insert into alerts (code, severity, message) values ('disk-low', 'critical', 'Little space.')",
    );
    await execute('update alerts set resolved_at = now()');
    startSender();
    await waitUntil(() => (receiver.messages.length >= 5 ? true : undefined));
    const told = receiver.messages.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    expect(told.map(({ type }) => type).sort()).toEqual([
      ...['alert.raised', 'alert.resolved', 'domain.blocked', 'task.completed', 'task.failed'],
    ]);
    expect(told.find(({ type }) => type === 'task.completed')?.data).toMatchObject({
      ...{ url: 'https://told.example/1', domain: 'told.example', status: 'completed', httpStatus: 200 },
    });
    expect(told.find(({ type }) => type === 'task.failed')?.data).toMatchObject({
      error: 'It did not answer.',
    });
    for (const message of receiver.messages) {
      expect(message.path).toBe('/all');
      expect(isGenuine(message, all.secret)).toBe(true);
    }
  });
});
