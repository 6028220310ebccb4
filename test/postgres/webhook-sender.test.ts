/** Senders of webhooks against a real receiver that does everything a receiver should not. */
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listDeliveries, readDelivery, replayDelivery } from '../../src/control/webhooks/deliveries.ts';
import { type SenderParts, WebhookSender } from '../../src/control/webhooks/webhook-sender.ts';
import { changeWebhook, readWebhook, rotateSecret } from '../../src/control/webhooks/webhooks.ts';
import { createResolver, type Resolver } from '../../src/engine/fetch/resolver.ts';
import { now } from '../../src/platform/clock.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { startDnsServer } from '../origin/dns-server.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { answerWith, isGenuine, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { addTests, addWebhook, TEST_SECRET_KEY } from '../support/webhook-rows.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await database.execute('delete from webhooks');
});

const config = {
  allowPrivate: true,
  userAgent: 'Forager/test',
  secretKey: TEST_SECRET_KEY,
  dataDir: '/nowhere',
};

function startSender(changes: Partial<SenderParts> = {}): WebhookSender {
  const sender = new WebhookSender({ db: database.db, config, timeoutMs: 3000, ...changes });
  sender.start();
  onTestFinished(() => sender.stop(0));
  return sender;
}

const ended = (id: number, state: 'delivered' | 'failed' = 'delivered') =>
  waitUntil(async () => {
    const delivery = await readDelivery(database.db, id);
    return delivery.state === state ? delivery : undefined;
  });

/** One attempt more than before, and whoever made it has let go. */
const attempted = (id: number, attempts: number) =>
  waitUntil(async () => {
    const delivery = await readDelivery(database.db, id);
    return delivery.attempts.length >= attempts ? delivery : undefined;
  });

const secondsUntil = (date: Date | null): number => ((date?.getTime() ?? 0) - now().getTime()) / 1000;

describe('a message', () => {
  test('is a POST with the three headers, signed with the secret, and delivered when it is answered with 2xx', async () => {
    const { id: webhookId, secret } = await addWebhook(database, `${receiver.url}/hook?a=b`);
    const [id = 0] = await addTests(database, webhookId);
    startSender();
    const delivery = await ended(id);
    expect(delivery).toMatchObject({
      attemptsCount: 1,
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
    });
    expect(delivery.attempts).toMatchObject([{ httpStatus: 204, error: null, answer: null }]);
    const [message] = receiver.messages;
    if (message === undefined) throw new Error('nothing came');
    expect(receiver.messages).toHaveLength(1);
    expect(message).toMatchObject({ method: 'POST', path: '/hook?a=b', id: delivery.messageId });
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Forager/test',
    });
    expect(message.id).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(isGenuine(message, secret, now().getTime())).toBe(true);
    expect(isGenuine({ ...message, body: `${message.body} ` }, secret, now().getTime())).toBe(false);
    expect(JSON.parse(message.body)).toMatchObject({ type: 'webhook.test', data: { webhookId } });
    expect(Object.keys(JSON.parse(message.body) as object)).toEqual(['type', 'timestamp', 'data']);
  });

  test('is signed with both secrets while one is exchanged for another, and with one after that', async () => {
    const { id: webhookId, secret: old } = await addWebhook(database, `${receiver.url}/rotate`);
    const box = createSecretBox(Buffer.from(TEST_SECRET_KEY, 'base64'), 'the test');
    const rotated = await rotateSecret(database.db, webhookId, { graceHours: 24 }, box, { name: 'test' });
    expect(secondsUntil(rotated.webhook.previousSecretUntil)).toBeGreaterThan(23.9 * 3600);
    startSender();
    const [first = 0] = await addTests(database, webhookId);
    await ended(first);
    await advance(database, { hours: 25 });
    const [second = 0] = await addTests(database, webhookId);
    await ended(second);
    const seen = receiver.messages.map((message, index) => {
      const at = now().getTime() - (index === 0 ? 25 * 3_600_000 : 0);
      return [isGenuine(message, old, at), isGenuine(message, rotated.secret, at)];
    });
    expect(seen).toEqual([
      [true, true],
      [false, true],
    ]);
    const leaked = await rotateSecret(database.db, webhookId, { graceHours: 0 }, box, { name: 'test' });
    expect(leaked.webhook.previousSecretUntil).toBeNull();
  });

  test('that fails is sent again with the same id and a new timestamp, until it is taken', async () => {
    receiver.on('/fails', (request, response, count) =>
      answerWith(count < 2 ? 500 : 200, 'x')(request, response, count),
    );
    const { id: webhookId, secret } = await addWebhook(database, `${receiver.url}/fails`);
    const [id = 0] = await addTests(database, webhookId);
    const sender = startSender();
    const first = await attempted(id, 1);
    expect(first).toMatchObject({ state: 'pending', attemptsCount: 1, lastStatus: 500 });
    expect(secondsUntil(first.nextAttemptAt)).toBeLessThan(6.1);
    await advance(database, { seconds: 7 });
    sender.wake();
    const second = await attempted(id, 2);
    expect(secondsUntil(second.nextAttemptAt)).toBeGreaterThan(299);
    expect(secondsUntil(second.nextAttemptAt)).toBeLessThan(361);
    await advance(database, { minutes: 7 });
    sender.wake();
    expect(await ended(id)).toMatchObject({ attemptsCount: 3 });
    expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(1);
    const stamps = receiver.messages.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamps[2]).toBeGreaterThan(stamps[0] ?? 0);
    expect(
      receiver.messages.at(-1) && isGenuine(receiver.messages.at(-1) as never, secret, now().getTime()),
    ).toBe(true);
  });

  test('that nobody takes is given up after ten attempts, and five of them in a row switch the webhook off', async () => {
    receiver.on('/never', answerWith(404, 'no such thing'));
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/never`);
    const ids = await addTests(database, webhookId, 5);
    const sender = startSender();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      for (const id of ids) await attempted(id, attempt);
      await advance(database, { hours: 29 });
      sender.wake();
    }
    for (const id of ids)
      expect(await ended(id, 'failed')).toMatchObject({ attemptsCount: 10, nextAttemptAt: null });
    expect(receiver.messages).toHaveLength(50);
    expect((await readDelivery(database.db, ids[0] ?? 0)).attempts).toHaveLength(10);
    expect((await readDelivery(database.db, ids[0] ?? 0)).attempts[0]).toMatchObject({
      ...{ httpStatus: 404, answer: 'no such thing', error: 'It was answered with 404.' },
    });
    expect(await readWebhook(database.db, webhookId)).toMatchObject({
      ...{ isEnabled: false, failureCount: 5, disabledReason: expect.stringContaining('given up') },
    });
    const on = await changeWebhook(database.db, webhookId, { isEnabled: true }, true, { name: 'test' });
    expect(on).toMatchObject({ isEnabled: true, failureCount: 0, disabledReason: null });
  });

  test('can be sent once more, with the same id, after it was delivered', async () => {
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/again`);
    const [id = 0] = await addTests(database, webhookId);
    const sender = startSender();
    await ended(id);
    await replayDelivery(database.db, id, { name: 'test' });
    sender.wake();
    await waitUntil(() => (receiver.messages.length === 2 ? true : undefined));
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id);
    // The answer is with the sender before it is written down.
    await waitUntil(async () => ((await ended(id)).attempts.length === 2 ? true : undefined));
  });
});

describe('a receiver', () => {
  test.each([301, 302, 307, 308])('that redirects (%i) has failed, and nobody follows', async (status) => {
    const other = await startReceiver();
    onTestFinished(() => other.close());
    receiver.on('/redirect', answerWith(status, '', { location: `${other.url}/there` }));
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/redirect`);
    const [id = 0] = await addTests(database, webhookId);
    startSender();
    expect(await attempted(id, 1)).toMatchObject({ state: 'pending', lastStatus: status });
    expect(other.connections).toBe(0);
  });

  test('that answers 410 is not told any more', async () => {
    receiver.on('/gone', answerWith(410));
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/gone`);
    const [id = 0] = await addTests(database, webhookId);
    startSender();
    expect(await ended(id, 'failed')).toMatchObject({ attemptsCount: 1, lastStatus: 410 });
    expect(await readWebhook(database.db, webhookId)).toMatchObject({
      ...{ isEnabled: false, disabledReason: 'its server answered 410 Gone' },
    });
    await database.execute("select tell_webhooks('webhook.test', now(), '{}')");
    expect(await listDeliveries(database.db, webhookId, undefined, undefined, 10)).toHaveLength(1);
  });

  test('that asks for time gets it, for all its messages', async () => {
    receiver.on('/busy', answerWith(503, '', { 'retry-after': '600' }));
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/busy`);
    const [id = 0] = await addTests(database, webhookId);
    const sender = startSender();
    const delivery = await attempted(id, 1);
    expect(secondsUntil(delivery.nextAttemptAt)).toBeGreaterThan(595);
    const other = await addWebhook(database, `${receiver.url}/other`);
    await addTests(database, webhookId, 3);
    const [last = 0] = await addTests(database, other.id);
    sender.wake();
    await ended(last);
    expect(receiver.messages.filter(({ path }) => path === '/busy')).toHaveLength(1);
  });

  test('that hangs has a few connections and holds up nobody else', async () => {
    receiver.on('/hangs', () => undefined);
    const slow = await addWebhook(database, `${receiver.url}/hangs`);
    const quick = await addWebhook(database, `${receiver.url}/quick`);
    const stuck = await addTests(database, slow.id, 30);
    const ids = await addTests(database, quick.id, 30);
    startSender({ timeoutMs: 30_000 });
    for (const id of ids) await ended(id);
    expect(receiver.messages.filter(({ path }) => path === '/hangs')).toHaveLength(4);
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(8);
    const states = await listDeliveries(database.db, slow.id, 'pending', undefined, 100);
    expect(states).toHaveLength(stuck.length);
  });

  test('that never answers is given up after a while', async () => {
    receiver.on('/silent', () => undefined);
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/silent`);
    const [id = 0] = await addTests(database, webhookId);
    startSender({ timeoutMs: 300 });
    expect(await attempted(id, 1)).toMatchObject({
      ...{
        state: 'pending',
        lastStatus: null,
        lastError: expect.stringContaining('did not answer within 0.3 s'),
      },
    });
  });

  test.each([
    ['an endless answer', 200],
    ['an endless answer', 500],
  ])('with %s of status %i: the status counts, and its beginning is kept', async (_what, status) => {
    receiver.on('/endless', (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' });
      const chunk = 'nul\0 '.repeat(2000);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/endless`);
    const [id = 0] = await addTests(database, webhookId);
    startSender();
    const delivery = await attempted(id, 1);
    expect(delivery).toMatchObject({ state: status === 200 ? 'delivered' : 'pending', lastStatus: status });
    expect(delivery.attempts[0]?.answer?.length).toBeGreaterThan(1000);
    expect(delivery.attempts[0]?.answer?.length).toBeLessThanOrEqual(4096);
  });

  test('that answers 200 and then hangs in the body has taken it', async () => {
    receiver.on('/half', (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
    });
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/half`);
    const [id = 0] = await addTests(database, webhookId);
    startSender({ timeoutMs: 500 });
    expect((await ended(id)).attempts).toMatchObject([{ httpStatus: 200, answer: 'half' }]);
  });

  test('that hangs up, sends garbage or is not there has failed', async () => {
    const garbage: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('this is no HTTP\r\n\r\n');
    });
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void garbage.close());
    const { port } = garbage.address() as { port: number };
    receiver.on('/drops', (request) => request.socket.destroy());
    startSender();
    for (const url of [`${receiver.url}/drops`, `http://127.0.0.1:${port}/`, 'http://127.0.0.1:9999/']) {
      const { id: webhookId } = await addWebhook(database, url);
      const [id = 0] = await addTests(database, webhookId);
      const delivery = await attempted(id, 1);
      expect(delivery).toMatchObject({
        state: 'pending',
        lastStatus: null,
        lastError: expect.stringMatching(/\S.*\.$/),
      });
    }
  });
});

describe('several senders', () => {
  test('send every message once', async () => {
    const hooks = [];
    for (let n = 0; n < 5; n += 1) hooks.push(await addWebhook(database, `${receiver.url}/many/${n}`));
    const ids: number[] = [];
    for (const { id } of hooks) ids.push(...(await addTests(database, id, 40)));
    for (let n = 0; n < 3; n += 1) startSender();
    for (const id of ids) await ended(id);
    expect(receiver.messages).toHaveLength(200);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(200);
  });

  test('one that is stopped in the middle gives back what it was at, and the attempt does not count', async () => {
    receiver.on('/slow', (request, response, count) => {
      if (count > 0) answerWith(200)(request, response, count);
    });
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/slow`);
    const [id = 0] = await addTests(database, webhookId);
    const sender = startSender({ timeoutMs: 30_000 });
    await waitUntil(() => (receiver.messages.length === 1 ? true : undefined));
    await sender.stop(0);
    expect(await readDelivery(database.db, id)).toMatchObject({
      state: 'pending',
      attemptsCount: 0,
      attempts: [],
    });
    startSender();
    await ended(id);
    expect(receiver.messages.map((message) => message.id)).toEqual([
      receiver.messages[0]?.id,
      receiver.messages[0]?.id,
    ]);
  });

  test('without the key nothing is sent, the reason is told, and one that has it does it', async () => {
    const { id: webhookId } = await addWebhook(database, `${receiver.url}/key`);
    const [id = 0] = await addTests(database, webhookId);
    const warnings: string[] = [];
    const wrong = startSender({
      config: { ...config, secretKey: Buffer.alloc(32, 9).toString('base64') },
      warn: (sentence) => void warnings.push(sentence),
    });
    const delivery = await waitUntil(async () => {
      const found = await readDelivery(database.db, id);
      return found.lastError === null ? undefined : found;
    });
    expect(delivery).toMatchObject({ state: 'pending', attemptsCount: 0, attempts: [] });
    expect(delivery.lastError).toContain('another key than that of FORAGER_SECRET_KEY');
    expect(warnings.join()).toContain('another key');
    expect(receiver.connections).toBe(0);
    await wrong.stop();
    await advance(database, { seconds: 61 });
    startSender();
    await ended(id);
  });
});

describe('addresses inside', () => {
  const inside = { ...config, allowPrivate: false };
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  let resolver: Resolver;
  beforeEach(async () => {
    dns = await startDnsServer();
    resolver = createResolver({ servers: [dns.address] });
  });
  afterEach(async () => {
    resolver.close();
    await dns.close();
  });

  test.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0',
      '[::ffff:127.0.0.1]',
      'localhost',
      'x.localhost',
    ],
    ...['inside.example', 'mapped.example', 'half.example'],
  ])('%s in the database, by whatever way it came there, brings no connection', async (host) => {
    dns.set('inside.example', { addresses: ['127.0.0.1'] });
    dns.set('mapped.example', { addresses: ['::ffff:127.0.0.1'] });
    dns.set('half.example', { addresses: ['127.0.0.1', '10.0.0.1'] });
    const { id: webhookId } = await addWebhook(database, 'http://placeholder.example/');
    await database.execute('update webhooks set url = $2 where id = $1', [
      ...[webhookId, `http://${host}:${receiver.port}/`],
    ]);
    const [id = 0] = await addTests(database, webhookId);
    startSender({ config: inside, resolver });
    const delivery = await attempted(id, 1);
    expect(delivery).toMatchObject({ state: 'pending', lastStatus: null });
    expect(delivery.lastError).toContain('is not a public address; FORAGER_ALLOW_PRIVATE');
    expect(receiver.connections).toBe(0);
  });

  test('the same is reached where private places are allowed: the canary would have sung', async () => {
    dns.set('inside.example', { addresses: ['127.0.0.1'] });
    const { id: webhookId } = await addWebhook(database, `http://inside.example:${receiver.port}/`);
    const [id = 0] = await addTests(database, webhookId);
    startSender({ resolver });
    await ended(id);
    expect(receiver.messages[0]?.headers.host).toBe(`inside.example:${receiver.port}`);
  });

  test('a name that was outside when it was looked at first is vetted again for every message', async () => {
    let answers = 0;
    const changing: Resolver = {
      resolve: async () => {
        answers += 1;
        return { kind: 'addresses', addresses: [answers === 1 ? '192.0.2.1' : '127.0.0.1'] };
      },
      close: () => undefined,
    };
    const { id: webhookId } = await addWebhook(database, `http://rebind.example:${receiver.port}/`);
    const [id = 0] = await addTests(database, webhookId);
    const sender = startSender({ config: inside, resolver: changing, timeoutMs: 500 });
    await attempted(id, 1);
    await advance(database, { seconds: 10 });
    sender.wake();
    await attempted(id, 2);
    expect(answers).toBe(2);
    expect(receiver.connections).toBe(0);
  });
});
