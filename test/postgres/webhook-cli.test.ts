/** `forager webhook`, `error` and `dead-letter`, as people and programs use them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';
import { answerWith, isGenuine, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

function run(
  words: string,
  input?: string,
  env: Record<string, string> = {},
  columns?: number,
): Promise<CliRun> {
  return runForager(words.split(' '), {
    env: {
      ...{ DATABASE_URL: database.url, FORAGER_SECRET_KEY: 'cd'.repeat(32), FORAGER_ALLOW_PRIVATE: '1' },
      ...env,
    },
    ...(input === undefined ? {} : { input }),
    ...(columns === undefined ? {} : { columns }),
  });
}

describe('forager webhook', () => {
  beforeEach(async () => {
    await database.execute('delete from webhooks');
    receiver.messages.length = 0;
  });
  const add = async (path = '/hook'): Promise<{ id: number; secret: string }> => {
    const [made] = (
      await run(`webhook add ${receiver.url}${path} --events task.failed,alert.raised --json`)
    ).json();
    return made as { id: number; secret: string };
  };

  test('add prints the secret once, list and show do not', async () => {
    const { code, stdout } = await run(`webhook add ${receiver.url}/x --events all --description orders`);
    expect(code).toBe(0);
    const secret = /whsec_\S+/.exec(stdout)?.[0] ?? '';
    expect(secret).not.toBe('');
    const id = /Webhook (\d+)/.exec(stdout)?.[1];
    for (const words of [
      'webhook list',
      `webhook show ${id}`,
      'webhook list --json',
      `webhook show ${id} --json`,
    ]) {
      const shown = await run(words);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain(`${receiver.url}/x`);
      expect(shown.stdout).not.toContain(secret.slice(6));
    }
  });

  test('list, show and deliveries are no wider than the terminal, and say what each is told of', async () => {
    const path = `/hooks/${'of-the-whole-shop/'.repeat(6)}forager`;
    const { stdout } = await run(
      `webhook add ${receiver.url}${path} --events all --description orders-of-the-shop`,
    );
    const id = /Webhook (\d+)/.exec(stdout)?.[1];
    receiver.on(path, answerWith(500, 'no '.repeat(60)));
    await run(`webhook test ${id}`);
    for (const columns of [50, 80]) {
      const list = await run('webhook list', undefined, {}, columns);
      expect(widestLine(list.stdout)).toBeLessThanOrEqual(columns);
      expect(list.stdout).toMatch(/http\S{10,}…\S{10,}forager$/m);
      expect(list.stdout).toContain('└─ told of task.completed, task.failed,');
      const deliveries = await run(`webhook deliveries ${id}`, undefined, {}, columns);
      expect(widestLine(deliveries.stdout)).toBeLessThanOrEqual(columns);
      expect(deliveries.stdout).toContain('webhook.test');
    }
  });

  test('a secret can come on standard input', async () => {
    const secret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const { stdout } = await run(
      `webhook add ${receiver.url}/x --events task.failed --secret-stdin`,
      `${secret}\n`,
    );
    expect(stdout).toContain(secret);
    const bad = await run(`webhook add ${receiver.url}/x --events task.failed --secret-stdin`, 'geheim\n');
    expect(bad.code).toBe(2);
    expect(bad.stderr).not.toContain('geheim');
  });

  test('test sends a message from here and tells what came of it', async () => {
    const { id, secret } = await add();
    const good = await run(`webhook test ${id}`);
    expect(good).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Delivered: it was answered with 204'),
    });
    expect(receiver.messages.every((message) => isGenuine(message, secret))).toBe(true);
    receiver.on('/bad', answerWith(500, 'on \u001b[31mfire'));
    const bad = await run(`webhook test ${(await add('/bad')).id}`);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('Not delivered: It was answered with 500.');
    expect(bad.stdout).toContain('on  [31mfire');
  });

  test('with another key a test says so', async () => {
    const { id } = await add();
    const { code, stdout } = await run(`webhook test ${id}`, undefined, {
      FORAGER_SECRET_KEY: 'ef'.repeat(32),
    });
    expect(code).toBe(1);
    expect(stdout).toContain('encrypted with another key than that of FORAGER_SECRET_KEY');
    expect(receiver.messages).toHaveLength(0);
  });

  test('disable, enable, rotate, deliveries, replay and remove', async () => {
    const { id, secret } = await add();
    expect((await run(`webhook disable ${id}`)).stdout).toContain(`Webhook ${id} is off`);
    expect((await run(`webhook test ${id}`)).stderr).toContain('switched off');
    expect((await run(`webhook enable ${id} --json`)).json()).toMatchObject([{ id, isEnabled: true }]);
    const [rotated] = (await run(`webhook rotate ${id} --json`)).json();
    expect(rotated).toMatchObject({ previousSecretUntil: expect.any(String) });
    expect(rotated?.secret).not.toBe(secret);
    expect((await run(`webhook rotate ${id} --grace-hours 0`)).stdout).toMatch(/new secret.*:\nwhsec_/);
    await run(`webhook test ${id}`);
    const [delivery] = (await run(`webhook deliveries ${id} --json`)).json();
    expect(delivery).toMatchObject({ state: 'delivered', event: 'webhook.test' });
    const shown = await run(`webhook deliveries ${id} --delivery ${delivery?.id}`);
    expect(shown.stdout).toContain(String(delivery?.messageId));
    expect(shown.stdout).toContain('204');
    expect((await run(`webhook deliveries ${id}`)).stdout).toContain('webhook.test');
    expect((await run(`webhook replay ${delivery?.id}`)).stdout).toContain(String(delivery?.messageId));
    expect((await run(`webhook deliveries ${id} --state pending --json`)).json()).toHaveLength(1);
    expect((await run(`webhook remove ${id}`)).stdout).toBe(`Webhook ${id} is removed.\n`);
    expect((await run('webhook list')).stdout).toContain('There are no webhooks.');
  });

  test.each([
    ['webhook add', 2],
    ['webhook add https://a.example/', 2],
    ['webhook add https://a.example/ --events task.eaten', 2],
    ['webhook add ftp://a.example/ --events all', 2],
    ['webhook add https://me:pw@a.example/ --events all', 2],
    ['webhook rotate 1 --grace-hours 169', 2],
    ['webhook show x', 2],
    ['webhook show 99999', 1],
    ['webhook test 99999', 1],
    ['webhook remove 99999', 1],
    ['webhook replay 99999', 1],
    ['webhook deliveries 99999', 1],
    ['webhook deliveries 1 --state eaten', 2],
  ])('%s ends with %i', async (words, expected) => {
    const { code, stdout, stderr } = await run(words);
    expect(code).toBe(expected);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/\S/);
  });

  test('an address inside is refused where private places are not allowed', async () => {
    const { code, stderr } = await run('webhook add http://169.254.169.254/ --events all', undefined, {
      FORAGER_ALLOW_PRIVATE: '0',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('169.254.169.254 is a loopback, private or reserved address');
    // The setting, not an option that this command has not.
    expect(stderr).toContain('FORAGER_ALLOW_PRIVATE');
    expect(stderr).not.toContain('--allow-private');
  });
});

describe('forager error and dead-letter', () => {
  beforeAll(async () => {
    await database.execute(
      "insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', 'https://a.example')",
    );
    await database.execute(`
      insert into error_logs (domain_id, url, category, code, message, occurred_at)
      select d.id, 'https://a.example/' || n, case when n <= 5 then 'http' else 'network' end,
             case when n <= 5 then 'server-error' else 'timeout' end,
             E'bad \u001b[2J' || n, now() - n * interval '1 hour'
        from domains d, generate_series(1, 20) as n`);
    await database.execute(`
      insert into crawl_tasks (domain_id, url, url_hash, status)
      select d.id, 'https://a.example/' || n, sha256(n::text::bytea), 'crawling'
        from domains d, generate_series(1, 5) as n`);
    await database.execute("update crawl_tasks set status = 'failed', error_message = 'It did not answer.'");
  });

  test('error list shows the latest first, with nothing in it that steers a terminal', async () => {
    const { code, stdout } = await run('error list --limit 3');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^AT +CATEGORY +CODE/);
    expect(stdout).toMatch(/ https:\/\/a\.example\/1\n {2}└─ bad +\[2J1\n/);
    expect(stdout).not.toContain('https://a.example/4');
    expect(stdout).not.toContain('\u001b');
    expect((await run('error list --json')).json()).toHaveLength(20);
    expect((await run('error list --category http --json')).json()).toHaveLength(5);
    expect((await run('error list --since 10h --json')).json()).toHaveLength(9);
    expect((await run('error list --domain a.example --code timeout --json')).json()).toHaveLength(15);
    expect((await run('error list --task 999')).stdout).toBe('No errors.\n');
  });

  test('error list is no wider than the terminal, and shows of a URL what tells it from others', async () => {
    const page = `https://shop.example/${'catalogue/'.repeat(20)}the-last-chair`;
    const message = `It led to ${'https://elsewhere.example/'.repeat(9)} and did not end there.`;
    await database.execute(`
      insert into error_logs (domain_id, url, category, code, message, task_id, occurred_at)
      select d.id, '${page}', 'validation', 'connection-refused', '${message}', 1234567, now() from domains d`);
    try {
      for (const columns of [50, 80, 120]) {
        const { stdout } = await run('error list --limit 2', undefined, {}, columns);
        expect(widestLine(stdout)).toBeLessThanOrEqual(columns);
        expect(/https:\/\/shop\S*…\S*the-last-chair$/m.exec(stdout)?.[0].length).toBeGreaterThanOrEqual(30);
        expect(stdout).toContain('did not end there.');
      }
    } finally {
      await database.execute('delete from error_logs where task_id = 1234567');
    }
  });

  test('error stats draws a bar for each', async () => {
    const { code, stdout } = await run('error stats');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^20 errors from /);
    expect(stdout).toMatch(/^ {2}network +15 {2}█{30}$/m);
    expect(stdout).toMatch(/^ {2}http +5 {2}█{10}$/m);
    expect(stdout).toMatch(/^ {2}proxy +0$/m);
    expect((await run('error stats --json')).json()).toMatchObject([{ total: 20, domains: [{ count: 20 }] }]);
  });

  test('dead letters are listed and requeued, one by one and all of a kind', async () => {
    const letters = (await run('dead-letter list --json')).json();
    expect(letters).toHaveLength(5);
    expect((await run('dead-letter list')).stdout).toContain('It did not answer.');
    const id = letters[0]?.id;
    expect((await run(`dead-letter requeue ${id}`)).stdout).toMatch(/^Task \d+ is pending again: https:/);
    expect((await run(`dead-letter requeue ${id}`)).stdout).toBe(
      `Dead letter ${id} was dealt with before.\n`,
    );
    expect((await run('dead-letter requeue --all --dry-run')).stdout).toBe(
      '4 tasks would be pending again.\n',
    );
    expect((await run('dead-letter requeue --domain a.example --limit 1')).stdout).toBe(
      '1 task is pending again.\n',
    );
    expect((await run('dead-letter requeue --all --json')).json()).toMatchObject([{ requeued: 3 }]);
    expect((await run('dead-letter requeue --all')).stdout).toBe('Nothing was given up that fits.\n');
    expect((await run('dead-letter list')).stdout).toBe('Nothing was given up.\n');
  });

  test.each([
    ['error list --category magic', 2],
    ['error list --since yesterday', 2],
    ['error list --domain nowhere.example', 1],
    ['error stats --top 101', 2],
    ['error stats --top 0', 2],
    ['dead-letter requeue', 2],
    ['dead-letter requeue 1 --all', 2],
    ['dead-letter requeue 1 --dry-run', 2],
    ['dead-letter requeue --all --limit 10001', 2],
    ['dead-letter requeue 99999', 1],
    ['dead-letter requeue x', 2],
  ])('%s ends with %i', async (words, expected) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(/\S/);
  });
});
