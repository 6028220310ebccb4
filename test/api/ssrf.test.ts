/**
 * Nothing that can be submitted makes anybody speak to an internal address: literal ones are refused at the door, and
 * what only shows when it is fetched (names, redirects, sitemaps, DNS that changes its answer) at the connection.
 */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import type { Resolver } from '../../src/engine/fetch/resolver.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage, type OriginExchange } from '../origin/site.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { runTestFleet } from '../support/fleet-run.ts';

const INTERNAL = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://127.0.0.1./',
  'http://127.0.0.1:3001/api',
  '127.0.0.1',
  '127.0.0.1:8080/x',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  '[::1]:8080',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.b.localhost/',
  'localhost',
  'localhost:9200',
  '\uff11\uff12\uff17.0.0.1',
  'http://user:pass@127.0.0.1/',
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1\\@example.com/',
];
const NO_WEB = [
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://127.0.0.1:25/',
  'javascript:alert(1)',
  'data:text/html,x',
  'ws://example.com/',
];

describe('at the door', () => {
  let server: TestServer;
  let admin: ApiClient;
  beforeAll(async () => {
    server = await startTestServer();
    admin = await server.as('admin');
  });
  afterAll(() => server.close());

  test.each([...INTERNAL, ...NO_WEB])('%s is refused as a URL, as a seed and as a domain', async (text) => {
    for (const path of ['/api/frontier/add', '/api/frontier/seed']) {
      const { problem } = await admin.post(path, { urls: [text] });
      expect(problem).toMatchObject({ status: 422, code: 'nothing-accepted' });
      expect(problem?.errors?.[0]?.message.length).toBeGreaterThan(10);
    }
    const { problem } = await admin.post('/api/admin/domains', { domain: text });
    expect(problem).toMatchObject({ status: 400, code: 'bad-domain' });
    expect((await server.database.db.query('select from domains')).rowCount).toBe(0);
    expect((await server.database.db.query('select from urls')).rowCount).toBe(0);
  });

  test('one that hides among good ones is left out alone', async () => {
    const { body } = await admin.post('/api/frontier/seed', {
      urls: ['good.example', 'http://[::1]/', 'also.example'],
    });
    expect(body).toMatchObject({ accepted: 2, refused: [{ index: 1, url: 'http://[::1]/' }] });
    await server.database.execute('delete from domains');
    await server.database.execute('delete from urls');
  });

  test('where private addresses are allowed they are taken', async () => {
    const lenient = await startTestServer({ allowPrivate: true });
    try {
      const { body } = await (await lenient.as('admin')).post('/api/frontier/seed', {
        urls: ['http://127.0.0.1:8080/'],
      });
      expect(body).toMatchObject({ accepted: 1, refused: [] });
    } finally {
      await lenient.close();
    }
  });
});

describe('at the connection', () => {
  let web: Origin;
  let canary: Canary;
  let server: TestServer;
  let admin: ApiClient;
  let careful: Fetcher;
  let trusting: Fetcher;
  const toLoopback: Resolver = {
    resolve: async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] }),
    close: () => undefined,
  };
  beforeAll(async () => {
    web = await startOrigin();
    canary = await startCanary();
    careful = createTestFetcher({ allowPrivate: false, resolver: toLoopback });
    trusting = createTestFetcher({ allowPrivate: true, resolver: toLoopback });
  });
  beforeEach(async () => {
    canary.connections = 0;
    web.forgetRequests();
    server = await startTestServer();
    admin = await server.as('admin');
    return () => server.close();
  });
  afterAll(async () => {
    await careful.close();
    await trusting.close();
    await web.close();
    await canary.close();
  });

  /**
   * A web in which only these hosts have public addresses, as far as the fetcher can tell. All others, and those whose
   * name means something else by now, resolve to loopback.
   */
  function fetcherWith(isPublic: (host: string) => boolean): Fetcher {
    return {
      fetch: (request) => (isPublic(new URL(request.url).hostname) ? trusting : careful).fetch(request),
      close: async () => undefined,
    };
  }

  const siteUrl = (host: string, path = '/'): string => `http://${host}:${web.port}${path}`;

  /** A site whose every page, redirect and sitemap leads inside. */
  function defineEvil(): void {
    const inside = [
      '127.0.0.1',
      'localhost',
      '[::ffff:127.0.0.1]',
      'inside.example',
      '2130706433',
      'x.localhost',
    ];
    const targets = inside.map((host) => `http://${host}:${canary.port}/secret`);
    const redirects = Object.fromEntries(
      targets.map((to, n) => [
        `/redirect/${n}`,
        ({ response }: OriginExchange) => {
          response.writeHead(302, { location: to });
          response.end();
        },
      ]),
    );
    web.site('evil.example', {
      robots: `User-agent: *\nAllow: /\n${targets.map((to) => `Sitemap: ${to}/sitemap.xml`).join('\n')}\nSitemap: ${siteUrl('evil.example', '/index.xml')}\nSitemap: ${siteUrl('evil.example', '/redirect/0')}\n`,
      pages: {
        '/': htmlPage('home', [...targets, ...Object.keys(redirects), '/plain']),
        '/plain': htmlPage('plain'),
        '/index.xml': ({ response }) => {
          const listed = targets.map((to) => `<sitemap><loc>${to}.xml</loc></sitemap>`).join('');
          response.writeHead(200, { 'content-type': 'application/xml' });
          response.end(
            `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed}</sitemapindex>`,
          );
        },
        '/sitemap.xml': ({ response }) => {
          const listed = targets.map((to) => `<url><loc>${to}</loc></url>`).join('');
          response.writeHead(200, { 'content-type': 'application/xml' });
          response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed}</urlset>`);
        },
        ...redirects,
      },
    });
  }

  async function crawlEvil(fetcher: Fetcher): Promise<void> {
    defineEvil();
    const created = await admin.post('/api/admin/domains', { domain: siteUrl('evil.example'), scope: 'any' });
    expect(created.status).toBe(201);
    await runTestFleet({ db: server.database.db, fetcher, settings: { readSitemaps: true, maxRetries: 0 } });
    expect(web.requestsTo('evil.example', '/plain')).toHaveLength(1);
    expect(web.requestsTo('evil.example', '/redirect/1')).not.toHaveLength(0);
    expect(web.requestsTo('evil.example', '/index.xml')).not.toHaveLength(0);
  }

  test('links, redirects and sitemaps of a public site that lead inside reach nobody', async () => {
    await crawlEvil(fetcherWith((host) => host === 'evil.example'));
    expect(canary.connections).toBe(0);
  });

  test('the same crawl without the guard reaches the canary: it would have told', async () => {
    await crawlEvil(trusting);
    expect(canary.connections).toBeGreaterThan(0);
  });

  test('a name that means loopback is seeded without complaint and never spoken to', async () => {
    const inside = `http://inside.example:${canary.port}/`;
    expect((await admin.post('/api/frontier/seed', { urls: [inside] })).body).toMatchObject({ accepted: 1 });
    await runTestFleet({ db: server.database.db, fetcher: careful, settings: { maxRetries: 0 } });
    expect(canary.connections).toBe(0);
    const { body } = await admin.get(`/api/domains/${encodeURIComponent(inside)}`);
    expect(body).toMatchObject({ reasonCode: 'private_address', pagesCrawled: 0 });
  });

  test('a name that was public when it was first asked for, and loopback afterwards, is not followed there', async () => {
    const pages = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/${n}`, htmlPage(`page ${n}`)]));
    web.site('rebind.example', { pages: { '/': htmlPage('home', Object.keys(pages)), ...pages } });
    await admin.post('/api/frontier/seed', { urls: [siteUrl('rebind.example')] });
    // robots.txt, the first page and two more are served from outside; then the name means this machine.
    const isPublic = (host: string): boolean =>
      host === 'rebind.example' && web.requestsTo('rebind.example').length < 4;
    await runTestFleet({
      ...{ db: server.database.db, fetcher: fetcherWith(isPublic) },
      settings: { maxRetries: 0, maxConcurrentPerDomain: 1 },
    });
    const served = web.requestsTo('rebind.example').map(({ path }) => path);
    expect(served.slice(0, 2)).toEqual(['/robots.txt', '/']);
    expect(served).toHaveLength(4);
    const { rows } = await server.database.db.query<{ outcome: string; message: string | null }>(
      "select outcome, message from crawl_log where outcome <> 'page'",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { message } of rows) expect(message).toContain('127.0.0.1');
  });
});

interface Canary {
  readonly port: number;
  connections: number;
  close(): Promise<void>;
}

/** Sings when anybody so much as connects. */
async function startCanary(): Promise<Canary> {
  const server: Server = createServer((socket) => {
    canary.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const canary: Canary = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return canary;
}
