/** Servers that do everything wrong: each wrong ends as a recorded outcome, and the crawl still ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { status, tooManyRequests, unavailable } from '../origin/behaviours/statuses.ts';
import { misbehavingSite } from '../origin/misbehaving-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import {
  expectConsistent,
  readDomainRow,
  readLog,
  readPageRows,
  readUrlRows,
} from '../support/crawl-rows.ts';
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

/** Short enough for what never ends, long enough for everything else. */
const settings = { requestTimeoutMs: 1500, maxBodyBytes: 2_000_000, maxRetries: 1 };

describe('one site for each misbehaviour, all in one crawl', () => {
  // [path, outcome, attempts, state]
  const endings: readonly (readonly [string, string, number, string])[] = [
    ['/slow-headers', 'timeout', 2, 'failed'],
    ['/hang', 'timeout', 2, 'failed'],
    ['/drip-body', 'timeout', 2, 'failed'],
    ['/stall-body', 'timeout', 2, 'failed'],
    ['/endless-body', 'too-large', 1, 'failed'],
    ['/drop-before-headers', 'connection-lost', 2, 'failed'],
    ['/reset-before-headers', 'connection-lost', 2, 'failed'],
    ['/short-body', 'bad-response', 2, 'failed'],
    ['/two-lengths', 'bad-response', 2, 'failed'],
    ['/not-http', 'bad-response', 2, 'failed'],
    ['/header-flood', 'bad-response', 2, 'failed'],
    ['/gzip-bomb', 'too-large', 1, 'failed'],
    ['/nested-gzip-bomb', 'too-large', 1, 'failed'],
    ['/endless-gzip', 'too-large', 1, 'failed'],
    ['/corrupt-gzip', 'bad-response', 2, 'failed'],
    ['/unknown-encoding', 'bad-response', 2, 'failed'],
    ['/gone', 'gone', 1, 'failed'],
    ['/forbidden', 'refused', 1, 'failed'],
    ['/huge-error', 'server-error', 2, 'failed'],
    ['/pdf', 'unwanted-type', 1, 'fetched'],
    ['/endless-video', 'unwanted-type', 1, 'fetched'],
    ['/redirect-loop', 'redirect-loop', 1, 'failed'],
    ['/redirect-nowhere', 'bad-response', 2, 'failed'],
    ['/unavailable', 'page', 2, 'fetched'],
    ['/throttled', 'page', 2, 'fetched'],
    ['/long-body', 'page', 1, 'fetched'],
    ['/until-close', 'page', 1, 'fetched'],
    ['/empty', 'page', 1, 'fetched'],
    ['/huge-page', 'too-large', 1, 'failed'],
    ['/deeply-nested', 'page', 1, 'fetched'],
    ['/high-header-bytes', 'page', 1, 'fetched'],
  ];
  const outcomes = new Map<string, string[]>();
  const states = new Map<string, string>();

  beforeAll(async () => {
    for (const [index, [path]] of endings.entries()) origin.site(`bad-${index}`, misbehavingSite([path]));
    const { end } = await runTestCrawl({
      db: database.db,
      seeds: endings.map((_, index) => origin.hostUrl(`bad-${index}`, '/')),
      settings,
    });
    expect(end.reason).toBe('complete');
    for (const { url, outcome } of await readLog(database.db)) {
      const known = outcomes.get(url) ?? [];
      known.push(outcome);
      outcomes.set(url, known);
    }
    for (const { url, state } of await readUrlRows(database.db)) states.set(url, state);
  });

  it.each(endings)(
    '%s ends as "%s" after %i attempt(s), and the URL is %s',
    (path, outcome, attempts, state) => {
      const site = `bad-${endings.findIndex(([known]) => known === path)}`;
      const url = origin.hostUrl(site, path);
      expect(outcomes.get(url)).toHaveLength(attempts);
      expect(outcomes.get(url)?.at(-1)).toBe(outcome);
      expect(states.get(url)).toBe(state);
    },
  );

  it('the good page beside each of them is there', async () => {
    const good = (await readPageRows(database.db)).filter(({ url }) => url.endsWith('/good'));
    expect(good).toHaveLength(endings.length);
  });

  it('leaves counters and rows that agree', () => expectConsistent(database.db));
});

describe('everything wrong at once', () => {
  it('one site with two dozen misbehaviours is crawled to its end', async () => {
    const paths = [
      '/gzip-bomb',
      '/short-body',
      '/gone',
      '/forbidden',
      '/pdf',
      '/redirect-ping',
      '/broken-html',
    ];
    origin.site(
      'everything',
      misbehavingSite([...paths, '/cyrillic-as-utf8', '/many-links', '/empty', '/untyped']),
    );
    const { end } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('everything', '/')],
      settings: { ...settings, maxDepth: 1 },
    });
    expect(end.reason).toBe('complete');
    expect((await readDomainRow(database.db, 'everything'))?.status).toBe('exhausted');
    await expectConsistent(database.db);
  });

  it('broken markup gives its title and its links', async () => {
    origin.site('broken', misbehavingSite(['/broken-html']));
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('broken', '/broken-html')] });
    const asked = origin.requestsTo('broken').map(({ path }) => path);
    expect(asked).toEqual(expect.arrayContaining(['/first', '/second', '/third']));
    expect(asked).not.toContain('/in-comment');
    expect(asked).not.toContain('/in-script');
  });

  it.each([
    ['/cyrillic-as-utf8', 'Съешь ещё этих мягких булок'],
    ['/meta-only', '日本語のページ'],
    ['/meta-disagrees', 'naïve café'],
  ])('%s is stored under its right title though its charset is a lie', async (path, title) => {
    const site = `charset${path.replace(/\W/g, '')}`;
    origin.site(site, misbehavingSite([path]));
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl(site, path)] });
    const row = (await readPageRows(database.db)).find(({ url }) => url === origin.hostUrl(site, path));
    expect(row?.title).toBe(title);
  });

  it('text PostgreSQL cannot hold neither ends the crawl nor costs the page', async () => {
    origin.site('zero', {
      pages: {
        '/': `<title>a\0b \ud800 c</title><a href="/next%00">x</a><a href="/other">y</a>`,
        '/other': 'ok',
      },
    });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('zero', '/')] });
    expect(end.reason).toBe('complete');
    const urls = (await readPageRows(database.db)).map(({ url }) => url);
    expect(urls).toContain(origin.hostUrl('zero', '/'));
    expect(urls).toContain(origin.hostUrl('zero', '/other'));
  });
});

describe('servers that ask for patience', () => {
  it('429 with Retry-After holds the domain, costs the URL no attempt, and the page is fetched later', async () => {
    const pages: Record<string, Handler | string> = {
      '/': htmlPage('Home', ['/busy', '/a', '/b', '/c', '/d', '/e']),
    };
    for (const name of 'abcde') pages[`/${name}`] = htmlPage(name, [`/${name}/1`]);
    for (const name of 'abcde') pages[`/${name}/1`] = htmlPage(`${name} 1`);
    pages['/busy'] = tooManyRequests({ retryAfter: '1', clearsAfter: 1 });
    origin.site('patient', { pages });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('patient', '/')],
      settings: { maxConcurrentPerDomain: 1 },
    });
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(12);
    const log = origin.requestsTo('patient');
    const refused = log.findIndex(({ path }) => path === '/busy');
    const gapMs = (log[refused + 1]?.atMs ?? 0) - (log[refused]?.atMs ?? 0);
    expect(gapMs).toBeGreaterThanOrEqual(999);
    const attempts = (await readLog(database.db)).filter(({ url }) => url.endsWith('/busy'));
    expect(attempts.map(({ outcome, attempt }) => `${outcome} ${attempt}`)).toEqual([
      'throttled 1',
      'page 1',
    ]);
  });

  it('a rest the domain asked for outlives the crawl that heard it: the next one waits for its end', async () => {
    const pages = {
      '/': htmlPage('Home', ['/busy']),
      '/busy': tooManyRequests({ retryAfter: '3', clearsAfter: 1 }),
    };
    origin.site('remembered', { pages });
    const order = { db: database.db, seeds: [origin.hostUrl('remembered', '/')] };
    const first = await runTestCrawl({
      ...order,
      prepare: (crawl, events) => {
        events.on('url:visited', ({ outcome }) => {
          if (outcome.kind === 'throttled') crawl.stop();
        });
      },
    });
    expect(first.end.reason).toBe('stopped');
    const second = await runTestCrawl(order);
    expect(second.end.reason).toBe('complete');
    const [refused, answered] = origin.requestsTo('remembered', '/busy');
    expect((answered?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(2999);
  });

  it('a rest is written down with the answer that asked for it, so that even a killed crawl leaves it behind', async () => {
    origin.site('noted', { pages: { '/': status(429, { 'retry-after': '120' }) } });
    let reading: Promise<number | undefined> | undefined;
    await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('noted', '/')],
      prepare: (crawl, events) => {
        events.on('batch:committed', () => {
          reading ??= readRestSeconds('noted').finally(() => crawl.stop());
        });
      },
    });
    expect(await reading).toBeGreaterThan(60);
  });

  it('a part of a page that nobody asked for is not taken for the page', async () => {
    origin.site('partial', {
      pages: { '/': status(206, { 'content-range': 'bytes 0-9/100' }, htmlPage('Part')) },
    });
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('partial', '/')] });
    expect(summary.pages).toBe(0);
    expect(summary.outcomes['bad-response']).toBeGreaterThan(0);
  });

  it('a burst of 429s to requests under way at once counts as one, and the domain is not given up', async () => {
    let busyUntilMs = 0;
    const sometimes: Handler = (exchange) => {
      if (exchange.url.pathname === '/') return status(200, {}, htmlPage('Home', links))(exchange);
      busyUntilMs ||= performance.now() + 500;
      if (performance.now() < busyUntilMs) return status(429, { 'retry-after': '1' })(exchange);
      return status(200, {}, htmlPage(exchange.url.pathname))(exchange);
    };
    const links = Array.from({ length: 30 }, (_, n) => `/p/${n}`);
    origin.site('burst', { pages: { '/*': sometimes }, robots: '' });
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('burst', '/')],
      settings: { maxConcurrentPerDomain: 16 },
    });
    expect(end.reason).toBe('complete');
    expect(summary.outcomes.throttled).toBeGreaterThan(5);
    expect(summary.pages).toBe(31);
    expect((await readDomainRow(database.db, 'burst'))?.status).toBe('exhausted');
  });

  it('a domain that never stops saying 429 is blocked for a while, and the crawl ends', async () => {
    origin.site('closed', { pages: { '/': status(429, { 'retry-after': '0' }) } });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('closed', '/')] });
    expect(end.reason).toBe('complete');
    expect(await readDomainRow(database.db, 'closed')).toMatchObject({
      status: 'blocked',
      code: 'rate_limited',
    });
  });

  it('a rest longer than we wait for leaves the domain for later: the crawl ends as resting', async () => {
    origin.site('later', {
      pages: { '/': htmlPage('Home', ['/wait']), '/wait': status(429, { 'retry-after': '3600' }) },
    });
    const { end } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('later', '/')] });
    expect(end.reason).toBe('resting');
    expect(end.restingUntil?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    expect(await readDomainRow(database.db, 'later')).toMatchObject({ status: 'active', is_resting: true });
  });

  it('a crawl that is stopped does not wait for a domain at rest', async () => {
    origin.site('napping', {
      pages: { '/': htmlPage('Home', ['/wait']), '/wait': status(429, { 'retry-after': '500' }) },
    });
    const { end } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('napping', '/')],
      prepare: (crawl, events) =>
        events.on('url:visited', ({ outcome }) => outcome.kind === 'throttled' && crawl.stop()),
    });
    expect(end.reason).toBe('stopped');
    await expectConsistent(database.db);
  });

  it('a crawl whose page limit is reached does not wait for a domain at rest', async () => {
    origin.site('asleep', { pages: { '/': status(429, { 'retry-after': '500' }) } });
    origin.site('awake', {
      pages: { '/': htmlPage('Home', ['/1', '/2', '/3']), '/*': (exchange) => status(200)(exchange) },
    });
    const { end } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('asleep', '/'), origin.hostUrl('awake', '/')],
      maxPages: 3,
      settings: { delayMs: 50 },
    });
    expect(end.reason).toBe('budget');
  });

  it('503 that passes costs an attempt and gives the page', async () => {
    origin.site('recovers', { pages: { '/': unavailable({ clearsAfter: 1 }) } });
    const { summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('recovers', '/')] });
    expect(summary).toMatchObject({ pages: 1, outcomes: { 'server-error': 1, page: 1 } });
  });
});

/** How long the domain is to be left alone, while its lease is still held. */
async function readRestSeconds(site: string): Promise<number | undefined> {
  const { rows } = await database.db.query<{ rest: number }>(
    `select extract(epoch from next_crawl_after - now())::float8 as rest
       from domains where domain like $1 || '.%' and claimed_by is not null`,
    [site],
  );
  return rows[0]?.rest;
}
