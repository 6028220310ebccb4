import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identifyKey } from '../../src/control/access/identify.ts';
import { logIn } from '../../src/control/access/login.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const PASSWORD = 'four pigeons on a wet roof';

function run(words: string, input?: string): Promise<CliRun> {
  return runForager(words.split(' '), {
    env: { DATABASE_URL: database.url },
    ...(input === undefined ? {} : { input }),
  });
}

const login = (username: string, password: string) =>
  logIn(database.db, {
    ...{ username, password, address: '203.0.113.1', network: '203.0.113.1', userAgent: undefined },
    ...{ previousToken: undefined, requestId: 'test' },
  });

describe('forager user', () => {
  test('add takes the password from standard input, without the end of the line', async () => {
    const { code, stdout } = await run('user add anna --role admin --password-stdin', `${PASSWORD}\n`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'anna was added as an administrator.\n' });
    expect(await login('anna', PASSWORD)).toMatchObject({ role: 'admin', passwordExpiresAt: undefined });
  });

  test('add without a terminal generates a password and prints it once', async () => {
    const { code, stdout } = await run('user add bert');
    expect(code).toBe(0);
    const password = /One-time password: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(await login('bert', password)).toMatchObject({
      role: 'user',
      passwordExpiresAt: expect.any(Date),
    });
    expect((await run('user list')).stdout).toMatch(/^bert +user +one-time password until /m);
  });

  test.each([
    ['user add Anna', 2],
    ['user add anna --role wizard', 2],
    ['user add', 2],
    ['user add x y', 2],
    ['user add eve --password-stdin --generate', 2],
    ['user add eve --password geheim', 2],
    ['user add anna --generate', 1],
    ['user passwd nobody --generate', 1],
    ['user remove nobody', 1],
    ['user disable nobody', 1],
    ['user unlock nobody', 1],
    ['user remove anna', 1],
  ])('%s ends with %i', async (words, expected) => {
    const { code, stdout, stderr } = await run(words, '');
    expect(code).toBe(expected);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/\S/);
  });

  test('a password that is too weak, none, or two lines are refused and not repeated', async () => {
    for (const [input, expected] of [
      ['password123', 1],
      ['', 2],
      ['two lines\nof this', 2],
      ['x'.repeat(20_000), 2],
    ] as const) {
      const { code, stderr } = await run('user add eve --password-stdin', input);
      expect(code).toBe(expected);
      if (input !== '') expect(stderr).not.toContain(input.slice(0, 20));
    }
  });

  test('passwd gives another password, and with --revoke-keys takes the keys', async () => {
    await run('user add carl --password-stdin', PASSWORD);
    const { token } = (await run('key create --user carl --json')).json()[0] as { token: string };
    const [entered] = (await run('user passwd carl --password-stdin --json', 'a kettle sings')).json();
    expect(entered).toMatchObject({ username: 'carl', password: null, endedSessions: 0, revokedKeys: 0 });
    expect(await login('carl', 'a kettle sings')).toBeDefined();
    expect(await identifyKey(database.db, token)).toBeDefined();
    const again = await run('user passwd carl --generate --revoke-keys');
    expect(again.stdout).toContain('1 session ended');
    expect(again.stdout).toContain('Keys revoked: 1.');
    expect(await identifyKey(database.db, token)).toBeUndefined();
  });

  test('disable, enable, unlock and remove do what they say', async () => {
    await run('user add dora --password-stdin', PASSWORD);
    expect((await run('user disable dora')).stdout).toBe('dora is off: sessions have ended.\n');
    await expect(login('dora', PASSWORD)).rejects.toMatchObject({ code: 'bad-login' });
    expect((await run('user enable dora --json')).json()).toMatchObject([
      { username: 'dora', isEnabled: true },
    ]);
    for (let n = 0; n < 10; n += 1) await login('dora', 'a guess').catch(() => undefined);
    await expect(login('dora', PASSWORD)).rejects.toMatchObject({ code: 'login-throttled' });
    expect((await run('user unlock dora')).stdout).toBe('The failed logins of dora are forgotten.\n');
    expect((await run('user unlock dora')).stdout).toBe('There were no failed logins of dora.\n');
    expect(await login('dora', PASSWORD)).toBeDefined();
    expect((await run('user remove dora')).code).toBe(0);
    expect((await run('user list --json')).json().map((user) => user.username)).not.toContain('dora');
  });

  test('what was typed is in the audit log, under the name of whoever typed it', async () => {
    const { rows } = await database.db.query<{ action: string }>(
      'select action from audit_log where actor = $1 order by id',
      [`cli:${os.userInfo().username}`],
    );
    expect(rows.map((row) => row.action)).toEqual(
      expect.arrayContaining([
        'user.created',
        'password.reset',
        'user.changed',
        'user.unlocked',
        'user.deleted',
      ]),
    );
  });
});

describe('forager key', () => {
  test('create prints a key that does what its scopes say, and list shows it without the secret', async () => {
    const made = await run('key create --user anna --scopes crawl,read --expires 30d --name nightly --json');
    const { token, id, expiresAt } = made.json()[0] as { token: string; id: number; expiresAt: string };
    expect(await identifyKey(database.db, token)).toMatchObject({
      ...{ username: 'anna', keyName: 'nightly', scopes: ['public', 'known', 'read', 'crawl'] },
    });
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    const { stdout } = await run('key list --user anna');
    expect(stdout).toMatch(
      new RegExp(`^nightly +${id} +anna +${token.slice(0, 10)}… +read,crawl +until `, 'm'),
    );
    expect(stdout).not.toContain(token);
  });

  test('create --bot makes the key of a bot', async () => {
    const { stdout } = await run('key create --bot robby');
    const token = /^fgr_\S+$/m.exec(stdout)?.[0] ?? '';
    expect(await identifyKey(database.db, token)).toMatchObject({ actor: 'bot:robby', role: 'bot' });
    expect((await run('key list')).stdout).toMatch(/^robby +\d+ +\(bot\)/m);
  });

  test('revoke holds at once; afterwards the key is listed with --all only', async () => {
    const { token, id } = (await run('key create --bot marvin --json')).json()[0] as {
      token: string;
      id: number;
    };
    expect((await run(`key revoke ${id}`)).stdout).toBe(`Key ${id} is revoked.\n`);
    expect(await identifyKey(database.db, token)).toBeUndefined();
    expect((await run('key list')).stdout).not.toContain('marvin');
    expect((await run('key list --all')).stdout).toMatch(/^marvin .* revoked /m);
    expect((await run(`key revoke ${id}`)).code).toBe(1);
  });

  test.each([
    ['key create', 2],
    ['key create --user anna --bot robby', 2],
    ['key create --bot robby --scopes read', 2],
    ['key create --user anna --scopes everything', 2],
    ['key create --user anna --scopes self', 2],
    ['key create --user anna --expires soon', 2],
    ['key create --user anna --expires 0d', 2],
    ['key revoke seven', 2],
    ['key create --user nobody', 1],
    ['key create --user bert --scopes manage', 1],
    ['key revoke 999999', 1],
    ['key list --user nobody', 1],
  ])('%s ends with %i', async (words, expected) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(/\S/);
  });
});
