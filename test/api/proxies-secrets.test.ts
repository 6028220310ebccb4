/** A password goes in, and is looked for everywhere afterwards: it must be nowhere. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { type ScriptedProxy, startScriptedProxy } from '../support/proxies-scripted.ts';
import { runForager } from '../support/run-cli.ts';

/** Nothing else could be mistaken for it, in any of its spellings. */
const PASSWORD = 'Zq9:pl@nted%41x';
const SPELLINGS = [
  ...[PASSWORD, encodeURIComponent(PASSWORD), 'pl@nted', 'pl%40nted', 'nted%41x', 'ntedAx'],
  ...[Buffer.from(PASSWORD), Buffer.from(`anna:${PASSWORD}`)].flatMap((bytes) => [
    ...[bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')],
  ]),
];

let server: TestServer;
let admin: ApiClient;
let refusing: ScriptedProxy;
let garbling: ScriptedProxy;
beforeAll(async () => {
  refusing = await startScriptedProxy((socket, said) => {
    if (said.includes('\r\n\r\n'))
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
  });
  // Says back what it was told, the password too.
  garbling = await startScriptedProxy((socket, said) => {
    if (said.includes('\r\n\r\n')) socket.end(`NONSENSE ${said.toString('latin1')}`);
  });
  server = await startTestServer({
    allowPrivate: true,
    proxyCheckUrl: 'http://127.0.0.1:8099/',
    logLevel: 'trace',
  });
  admin = await server.as('admin');
});
afterAll(async () => {
  await server.close();
  await refusing.close();
  await garbling.close();
});

test('no answer, log, export, act, row or line of the command line has it in it', async () => {
  const seen: string[] = [];
  const api = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await admin.request(method, path, body === undefined ? {} : { body });
    seen.push(`${method} ${path}: ${answer.text}${JSON.stringify([...answer.headers])}`);
    return answer.body;
  };
  const cli = async (words: readonly string[], input?: string): Promise<void> => {
    const env = {
      ...{
        DATABASE_URL: server.database.url,
        FORAGER_SECRET_KEY: 'ab'.repeat(32),
        FORAGER_ALLOW_PRIVATE: '1',
      },
      FORAGER_PROXY_CHECK_URL: 'http://127.0.0.1:8099/',
    };
    const { stdout, stderr } = await runForager(words, { env, ...(input === undefined ? {} : { input }) });
    seen.push(`forager ${words.slice(0, 2).join(' ')}: ${stdout}${stderr}`);
  };
  const url = (host: string): string => `http://anna:${encodeURIComponent(PASSWORD)}@${host}`;

  await api('POST', '/api/frontier/seed', { urls: ['https://shop.example/'] });
  const ids: number[] = [];
  for (const body of [
    { host: 'a.example', port: 80, username: 'anna', password: PASSWORD },
    { url: url('b.example:80') },
    { url: url(`127.0.0.1:${refusing.port}`) },
    { url: url(`127.0.0.1:${garbling.port}`) },
    { protocol: 'socks5', host: '127.0.0.1', port: garbling.port, username: 'anna', password: PASSWORD },
    { protocol: 'https', host: '127.0.0.1', port: garbling.port, username: 'anna', password: PASSWORD },
  ]) {
    ids.push(((await api('POST', '/api/admin/proxies', body)) as { id: number }).id);
  }
  const [id = 0] = ids;
  // Refused, each for another reason.
  for (const body of [
    { host: 'a.example', port: 80, username: 'anna', password: PASSWORD },
    { host: 'a.example', port: 80, password: PASSWORD },
    { host: `anna:${PASSWORD}@a.example`, port: 80 },
    { host: 'a.example', port: 80, username: 'anna', password: [PASSWORD] },
    { host: 'a.example', port: 'x', username: 'anna', password: PASSWORD },
    { url: url('a.example') },
    { url: `http://anna:${PASSWORD}@a.example` },
    { url: [url('a.example:80')] },
    { host: 'a.example', port: 80, username: 'anna', password: `${PASSWORD}\u0000` },
  ]) {
    await api('POST', '/api/admin/proxies', body);
    await api('PATCH', `/api/admin/proxies/${id}`, body);
  }
  await api('PATCH', `/api/admin/proxies/${id}`, { password: `${PASSWORD}${PASSWORD}`, provider: 'Acme' });
  const lines = [
    ...[url('c.example:80'), url('c.example:80'), url('d.example'), `e.example:80:anna:${PASSWORD}`],
    ...[
      `http://anna:${PASSWORD}`,
      `anna ${PASSWORD} f.example 80`,
      PASSWORD,
      `ftp://anna:${PASSWORD}@g.example:1`,
    ],
    ...[`http://anna:${PASSWORD}@h.example:80/x`, `http://${PASSWORD}:${PASSWORD}@i.example:99999`],
  ];
  await api('POST', '/api/admin/proxies/import', { lines });
  await api('POST', '/api/admin/proxies/import', { text: lines.join('\n'), onDuplicate: 'update' });
  await api('POST', '/api/admin/proxies/import', { text: [lines] });
  for (const one of ids) {
    await api('POST', `/api/admin/proxies/${one}/check`, { url: 'http://127.0.0.1:8099/' });
    await api('POST', `/api/admin/domains/shop.example/proxies`, { proxyId: one });
  }
  await api('POST', `/api/admin/proxies/${id}/disable`);
  await api('POST', `/api/admin/proxies/${id}/enable`);
  for (const path of [
    ...['/api/admin/proxies', '/api/admin/proxies/health', '/api/admin/domains/shop.example/proxies'],
    ...['/api/admin/domains/shop.example/proxies/sizing', `/api/admin/proxies/${id}`, '/api/admin/audit'],
    ...['lines', 'csv', 'json'].map((format) => `/api/admin/proxies/export?format=${format}`),
    ...['/api/admin/errors', '/api/alerts', '/api/stats', '/metrics', '/api/domains/shop.example'],
  ]) {
    await api('GET', path);
  }
  await cli(['proxy', 'add', url('j.example:80')]);
  await cli(['proxy', 'add', 'http://anna@k.example:80', '--password-stdin'], PASSWORD);
  await cli(['proxy', 'add', url('j.example')]);
  await cli(['proxy', 'set', String(id), '--password-stdin', '--json'], PASSWORD);
  await cli(['proxy', 'import', '-'], lines.join('\n'));
  await cli(['proxy', 'import', '-', '--json', '--update'], lines.join('\n'));
  await cli(['proxy', 'check', '--all', '--json']);
  await cli(['proxy', 'check', ...ids.map(String)]);
  for (const words of ['list', 'list --json', 'export', `show ${id}`, 'pool shop.example', 'health']) {
    await cli(['proxy', ...words.split(' ')]);
  }
  await cli(['doctor', '--json']);

  seen.push(...server.log.map((line) => `log: ${line}`), ...(await readTables()));
  expect(seen.length).toBeGreaterThan(100);
  expect(findPlanted(seen)).toEqual([]);
  // It is there: sealed, and opened where a connection is made.
  expect(refusing.told.join('')).toContain(Buffer.from(`anna:${PASSWORD}`).toString('base64'));
});

/** Every row of every table, as text. */
async function readTables(): Promise<string[]> {
  const { db } = server.database;
  const { rows: tables } = await db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['proxies', 'audit_log', 'error_logs']),
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from "${name}" t`);
    found.push(...rows.map(({ row }) => `table ${name}: ${row}`));
  }
  return found;
}

function findPlanted(texts: readonly string[]): string[] {
  return texts.filter((text) =>
    SPELLINGS.some((spelling) => text.toLowerCase().includes(spelling.toLowerCase())),
  );
}

test('the search would find it', () => {
  for (const spelling of SPELLINGS) expect(findPlanted([`x${spelling}y`])).toHaveLength(1);
});
