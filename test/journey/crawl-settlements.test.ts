/** What a domain that gives nothing is called, and for how long it is left alone: by the real engine. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolver } from '../../src/engine/fetch/resolver.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SitePages } from '../origin/site.ts';
import { expectEnding, readEnding } from '../support/crawl-endings.ts';
import { readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

const forbidden: Handler = ({ response }) => {
  response.writeHead(403, { 'content-type': 'text/html' });
  response.end('<p>No.</p>');
};
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/private/${n}`);

async function crawl(name: string, pages: SitePages, robots?: string): Promise<void> {
  origin.site(name, robots === undefined ? { pages } : { pages, robots });
  const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl(name, '/')] });
  expect(end.reason).toBe('complete');
}

describe('a site that refuses', () => {
  it('with 403 is blocked for a fortnight', async () => {
    await crawl('refusing', { '/': forbidden });
    await expectEnding(database.db, 'refusing', { status: 'blocked', code: 'forbidden', days: 14 });
  });

  it('with 403 behind a redirect, too', async () => {
    await crawl('refusing-later', {
      '/': ({ response }) => void response.writeHead(302, { location: '/en' }).end(),
      '/en': forbidden,
    });
    await expectEnding(database.db, 'refusing-later', { status: 'blocked', code: 'forbidden', days: 14 });
  });

  it('after it gave pages, ten times in a row, is blocked as well', async () => {
    await crawl('tiring', {
      '/': htmlPage('Home', ['/a', ...paths(30)]),
      '/a': htmlPage('A'),
      '/private/*': forbidden,
    });
    await expectEnding(database.db, 'tiring', { status: 'blocked', code: 'forbidden', days: 14 });
    const rows = (await readUrlRows(database.db)).filter(({ url }) => url.includes('//tiring.'));
    expect(rows.filter(({ state }) => state === 'never_crawled').length).toBeGreaterThan(0);
  });

  it('by turns with pages is crawled to its end', async () => {
    const both = Array.from({ length: 12 }, (_, n) => [`/private/${n}`, `/open/${n}`]).flat();
    await crawl('alternating', {
      '/': htmlPage('Home', both),
      '/private/*': forbidden,
      '/open/*': htmlPage('Open'),
    });
    expect(await readEnding(database.db, 'alternating')).toMatchObject({ status: 'exhausted', days: 14 });
  });

  it('by robots.txt is left alone for ninety days, and asked for nothing else', async () => {
    await crawl('closed', { '/': htmlPage('Home') }, 'User-agent: *\nDisallow: /\n');
    await expectEnding(database.db, 'closed', { status: 'blocked', code: 'robots_denied', days: 90 });
    expect(origin.requestsTo('closed').map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  it('with nothing but server errors rests for a day', async () => {
    await crawl('failing', { '/': ({ response }) => void response.writeHead(500).end('x') });
    await expectEnding(database.db, 'failing', { status: 'blocked', code: 'server_errors', days: 1 });
  });
});

/** Names this web does not have, and everything else on this machine. */
const resolver: Resolver = {
  resolve: async (name) =>
    name.startsWith('nowhere-')
      ? { kind: 'not-found', message: `There is no ${name}.` }
      : { kind: 'addresses', addresses: ['127.0.0.1'] },
  close: () => undefined,
};

// robots.txt is asked first, unless it is not asked at all: whoever finds out, it is called the same.
describe.each([true, false])('a site that cannot be reached (robots.txt is asked: %s)', (respectRobots) => {
  const named = (name: string): string => `${name}-${respectRobots ? 'robots' : 'page'}`;
  const reach = async (name: string, port: number, scheme = 'http'): Promise<void> => {
    const fetcher = createTestFetcher({ resolver });
    try {
      const { end } = await runTestCrawl({
        db: database.db,
        seeds: [`${scheme}://${name}.example:${port}/`],
        settings: { respectRobots, maxRetries: 0 },
        fetcher,
      });
      expect(['complete', 'resting']).toContain(end.reason);
    } finally {
      await fetcher.close();
    }
  };

  it('because nobody knows its name', async () => {
    await reach(named('nowhere'), origin.port);
    const ending = { status: 'unreachable', code: 'dns_failure', days: 7 };
    await expectEnding(database.db, named('nowhere'), ending);
  });

  it('because its port is closed', async () => {
    await reach(named('absent'), await closedPort());
    const ending = { status: 'unreachable', code: 'connect_refused', days: 7 };
    await expectEnding(database.db, named('absent'), ending);
  });

  it('because it speaks no TLS', async () => {
    await reach(named('plain'), origin.port, 'https');
    const ending = { status: 'unreachable', code: 'tls_failure', days: 7 };
    await expectEnding(database.db, named('plain'), ending);
  });

  it('because it hangs up, which without its robots.txt says nothing yet', async () => {
    const server = createServer((socket) => void socket.destroy());
    try {
      await reach(named('rude'), await listen(server));
    } finally {
      server.close();
    }
    if (respectRobots) {
      const resting = { status: 'active', code: 'robots_unavailable', moves: [] };
      expect(await readEnding(database.db, named('rude'))).toMatchObject(resting);
      return;
    }
    const ending = { status: 'unreachable', code: 'connection_failure', days: 7 };
    await expectEnding(database.db, named('rude'), ending);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}
