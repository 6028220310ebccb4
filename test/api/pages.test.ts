import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { runTestCrawl, waitUntil } from '../support/crawl-support.ts';
import { plantPages } from '../support/planted-pages.ts';

let server: TestServer;
let admin: ApiClient;
let user: ApiClient;
let origin: Origin;
let dataDir: string;
beforeAll(async () => {
  origin = await startOrigin();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-pages-'));
  server = await startTestServer({ dataDir });
  admin = await server.as('admin');
  user = await server.as('user');
  await plantPages(server.database, [
    { domain: 'one.example', pages: 60 },
    { domain: 'two.example', pages: 25 },
    { domain: 'none.example', pages: 0 },
  ]);
});
afterAll(async () => {
  await server.close();
  await origin.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface PageBody {
  readonly id: number;
  readonly url: string;
  readonly status: number;
}
type Query = Readonly<Record<string, string | number>>;

async function list(query: Query): Promise<{ items: PageBody[]; nextCursor: string | null }> {
  const { status, body } = await user.get('/api/pages', query);
  expect(status).toBe(200);
  return body as { items: PageBody[]; nextCursor: string | null };
}

async function walk(query: Query): Promise<PageBody[]> {
  const all: PageBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(cursor === '' ? query : { ...query, cursor });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

const idsOf = (pages: readonly PageBody[]): number[] => pages.map(({ id }) => id);

describe('GET /api/pages', () => {
  test('gives every page once, the newest first, however small the pages of the list', async () => {
    const all = await walk({ limit: 7 });
    expect(all).toHaveLength(85);
    expect(idsOf(all)).toEqual(idsOf(all).sort((a, b) => b - a));
    expect(new Set(idsOf(all)).size).toBe(85);
    expect(idsOf(await walk({ limit: 7, order: 'asc' }))).toEqual(idsOf(all).reverse());
  });

  test('goes on from where it was when the last page it gave is deleted meanwhile', async () => {
    await plantPages(server.database, [{ domain: 'fleeting.example', pages: 12 }]);
    const all = await walk({ limit: 100 });
    const first = await list({ limit: 5 });
    await server.database.execute('delete from pages where id = $1', [first.items.at(-1)?.id]);
    const second = await list({ limit: 5, cursor: first.nextCursor ?? '' });
    expect(idsOf(second.items)).toEqual(idsOf(all).slice(5, 10));
    await server.database.execute("delete from pages where url like 'https://fleeting.example/%'");
    await server.database.execute("delete from urls where url like 'https://fleeting.example/%'");
    await server.database.execute(
      "update domains set pages_crawled = 0, pages_discovered = 0, images_found = 0, crawl_depth_reached = 0 where domain = 'fleeting.example'",
    );
    await server.database.execute(
      "update crawl_run_domains set pages_count = 0 where domain_id = (select id from domains where domain = 'fleeting.example')",
    );
  });

  test('gives those of one domain, by any spelling of its name', async () => {
    for (const domain of ['two.example', 'https://TWO.example/x']) {
      const pages = await walk({ domain, limit: 10 });
      expect(pages).toHaveLength(25);
      expect(pages.every(({ url }) => url.startsWith('https://two.example/'))).toBe(true);
    }
    expect(await walk({ domain: 'none.example' })).toEqual([]);
  });

  test.each<[Query, number]>([
    [{ status: 404 }, 8],
    [{ statusClass: 4 }, 8],
    [{ statusClass: 2, domain: 'two.example' }, 23],
    [{ title: 'page 59' }, 1],
    [{ title: '%' }, 0],
    [{ language: 'EN' }, 42],
    [{ language: 'en-gb' }, 42],
    [{ language: 'e' }, 0],
    [{ contentType: 'text/html' }, 85],
    [{ contentType: 'html' }, 0],
    [{ isGone: 'true' }, 0],
    [{ isGone: 'false' }, 85],
    [{ changedSince: '2020-01-01T00:00:00Z' }, 0],
    [{ crawledSince: '2020-01-01T00:00:00Z' }, 85],
    [{ crawledUntil: '2020-01-01T00:00:00+02:00' }, 0],
    [{ run: 0 }, 85],
    [{ run: 1 }, 0],
  ])('with %o there are %i', async (query, count) => {
    expect(await walk({ ...query, limit: 200 })).toHaveLength(count);
  });

  test.each<Query>([
    { status: 99 },
    { statusClass: 6 },
    { sort: 'title' },
    { order: 'up' },
    { limit: 201 },
    { isGone: 'yes' },
    { crawledSince: 'yesterday' },
    { crawledSince: '2020-01-01T00:00:00' },
    { language: "en'; drop table pages" },
    { title: '' },
    { offset: 10 },
  ])('refuses %o', async (query) => {
    expect((await user.get('/api/pages', query)).problem).toMatchObject({ status: 400, code: 'invalid' });
  });

  test('refuses domains that are none or not known, and cursors of another order', async () => {
    expect((await user.get('/api/pages', { domain: 'three.example' })).problem?.code).toBe('unknown-domain');
    expect((await user.get('/api/pages', { domain: 'not a name' })).problem?.code).toBe('bad-domain');
    const cursor = (await list({ limit: 5 })).nextCursor ?? '';
    expect((await user.get('/api/pages', { cursor, order: 'asc' })).problem?.code).toBe('bad-cursor');
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/pages')).problem?.code).toBe('not-logged-in');
    expect((await (await server.as('bot')).get('/api/pages')).problem?.code).toBe('not-permitted');
  });
});

describe('GET /api/pages/:id', () => {
  test('shows all that is known of it, with its schedule and its fetches', async () => {
    const [page] = (await list({ domain: 'two.example', title: 'Page 25' })).items;
    const { status, body } = await user.get(`/api/pages/${page?.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{
        id: page?.id,
        url: 'https://two.example/25',
        domain: 'two.example',
        status: 200,
        title: 'Page 25',
      },
      ...{ hasBody: false, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      schedule: {
        ...{ urlState: 'fetched', nextCrawlAt: expect.any(String), visits: 1, changes: 0, misses: 0 },
        ...{ etag: '"25"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' },
      },
      log: [{ outcome: 'page', httpStatus: 200, discoveryType: 'discovery' }],
    });
  });

  test('knows no other pages than those there are', async () => {
    expect((await user.get('/api/pages/987654')).problem).toMatchObject({
      status: 404,
      code: 'unknown-page',
    });
    expect((await user.get('/api/pages/https%3A%2F%2Fone.example')).problem?.code).toBe('invalid');
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/pages/1')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/pages/1')).status).toBe(403);
  });
});

describe('GET /api/pages/:id/text', () => {
  test('gives the text a visitor sees, as text, from the kept body', async () => {
    origin.site('texts', {
      pages: {
        '/': ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
          response.end(
            Buffer.from(
              '<title>T</title><script>alert(1)</script><p>Gr\u00fc\u00dfe &lt;b&gt; &amp; more</p>',
              'latin1',
            ),
          );
        },
      },
    });
    const seeds = [origin.hostUrl('texts', '/')];
    await runTestCrawl({ db: server.database.db, seeds, warcDirectory: `${dataDir}/warc` });
    const [page] = (await list({ limit: 1 })).items;
    expect((await user.get(`/api/pages/${page?.id}`)).body).toMatchObject({ hasBody: true });
    const { status, body } = await user.get(`/api/pages/${page?.id}/text`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: page?.id, url: seeds[0], isTruncated: false },
      text: expect.stringContaining('Gr\u00fc\u00dfe <b> & more'),
    });
    expect((body as { text: string }).text).not.toContain('alert');
  });

  test('cuts what is longer than a million characters, and says so', async () => {
    const words = 'word '.repeat(300_000);
    origin.site('long', { pages: { '/': `<title>T</title><p>${words}</p>` } });
    const seeds = [origin.hostUrl('long', '/')];
    await runTestCrawl({ db: server.database.db, seeds, warcDirectory: `${dataDir}/warc` });
    const [page] = (await list({ limit: 1 })).items;
    const body = (await user.get(`/api/pages/${page?.id}/text`)).body as {
      text: string;
      isTruncated: boolean;
    };
    expect(body.isTruncated).toBe(true);
    expect(body.text).toHaveLength(1024 * 1024);
  });

  test('says why there is none', async () => {
    const [kept] = (await list({ limit: 1 })).items;
    const text = `/api/pages/${kept?.id}/text`;
    const { execute } = server.database;
    await execute('update pages set content_length = 3000000 where id = $1', [kept?.id]);
    expect((await user.get(text)).problem).toMatchObject({ status: 422, code: 'page-too-large' });
    await execute('update pages set content_length = 10, segment_offset = segment_offset + 1 where id = $1', [
      kept?.id,
    ]);
    const { problem } = await user.get(text);
    expect(problem).toMatchObject({ status: 404, code: 'body-unreadable' });
    // Where things lie on the machine is nobody's business.
    expect(JSON.stringify(problem)).not.toContain(dataDir);
    const [unkept] = (await list({ limit: 1, domain: 'two.example' })).items;
    expect((await user.get(`/api/pages/${unkept?.id}/text`)).problem).toMatchObject({
      ...{ status: 404, code: 'body-not-kept', detail: expect.stringContaining('--no-bodies') },
    });
    expect((await user.get('/api/pages/987654/text')).problem?.code).toBe('unknown-page');
  });

  test('is for those who may read', async () => {
    expect((await server.client().get('/api/pages/1/text')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/pages/1/text')).status).toBe(403);
  });
});

describe('DELETE /api/admin/pages', () => {
  async function purge(query: Query): Promise<Record<string, unknown>> {
    const { status, body, headers } = await admin.delete('/api/admin/pages', query);
    expect(status).toBe(202);
    const { id } = body as { id: number };
    expect(headers.get('location')).toBe(`/api/jobs/${id}`);
    return waitUntil(async () => {
      const job = (await user.get(`/api/jobs/${id}`)).body as Record<string, unknown>;
      return job.finishedAt === null ? undefined : job;
    });
  }

  test('deletes the pages of the given kind and no others; counters say what is left', async () => {
    await plantPages(server.database, [
      { domain: 'purged.example', pages: 100 },
      { domain: 'other.example', pages: 20 },
    ]);
    const job = await purge({ domain: 'purged.example', status: 404 });
    expect(job).toMatchObject({
      ...{ kind: 'purge-pages', state: 'done', result: { pagesDeleted: 10 }, done: 10, total: 10 },
      params: expect.objectContaining({ domain: 'purged.example', status: 404, recrawl: false }),
    });
    expect(await walk({ domain: 'purged.example', limit: 200 })).toHaveLength(90);
    expect(await walk({ domain: 'other.example', limit: 200 })).toHaveLength(20);
    await expectConsistent(server.database.db);
    await expectImagesConsistent();
  });

  test('leaves URLs known and as due as they were, but nothing that would be answered with "not modified"', async () => {
    await plantPages(server.database, [{ domain: 'kept-urls.example', pages: 3, status: 'exhausted' }]);
    await purge({ domain: 'kept-urls.example' });
    expect(await readUrls('kept-urls.example')).toEqual(
      [1, 2, 3].map(() => ({
        ...{ state: 'fetched', etag: null, last_modified: null, content_hash: null, simhash: null },
        isLater: true,
      })),
    );
    expect(await readDomain('kept-urls.example')).toMatchObject({
      ...{ status: 'exhausted', crawl_depth_reached: 0, pages_crawled: 0, images_found: 0 },
    });
  });

  test('with recrawl, makes URLs due at once and gives an exhausted domain work again, on the record', async () => {
    await plantPages(server.database, [
      { domain: 'again.example', pages: 3, status: 'exhausted' },
      { domain: 'walled.example', pages: 3, status: 'blocked' },
    ]);
    await purge({ domain: 'again.example', recrawl: 'true' });
    await purge({ domain: 'walled.example', recrawl: 'true' });
    expect((await readUrls('again.example')).map(({ state }) => state)).toEqual([
      'never_crawled',
      'never_crawled',
      'never_crawled',
    ]);
    expect(await readDomain('again.example')).toMatchObject({
      ...{ status: 'pending', status_code: 'new_urls', next_crawl_after: null },
    });
    // Why it is blocked has not changed.
    expect(await readDomain('walled.example')).toMatchObject({ status: 'blocked' });
    const { rows } = await server.database.db.query(
      `select from_status::text, to_status::text, code, actor from domain_events e join domains d on d.id = e.domain_id
        where d.domain = 'again.example'`,
    );
    expect(rows).toEqual([
      {
        ...{ from_status: 'exhausted', to_status: 'pending', code: 'new_urls' },
        actor: expect.stringMatching(/^user:admin-/),
      },
    ]);
  });

  test('by age and by being gone', async () => {
    await plantPages(server.database, [{ domain: 'aged.example', pages: 10 }]);
    await server.database.execute(
      `update pages set crawled_at = '2020-01-01', gone_at = case when url like '%/1' then '2020-02-01'::timestamptz end
        where url in ('https://aged.example/1', 'https://aged.example/2')`,
    );
    const before = '2021-01-01T00:00:00Z';
    expect(await purge({ domain: 'aged.example', crawledUntil: before, isGone: 'true' })).toMatchObject({
      done: 1,
    });
    expect(await purge({ domain: 'aged.example', crawledUntil: before })).toMatchObject({ done: 1 });
    expect(await walk({ domain: 'aged.example' })).toHaveLength(8);
  });

  test('spares what is read after it was asked for', async () => {
    const [id] = await plantPages(server.database, [{ domain: 'before.example', pages: 5 }]);
    const done = await inTransaction(server.database.db, async (tx) => {
      // The job cannot be over before the new page is there.
      await tx.query('select from domains where id = $1 for update', [id]);
      const job = purge({ domain: 'before.example' });
      await waitUntil(async () => {
        const { rows } = await tx.query("select from jobs where params->>'domain' = 'before.example'");
        return rows[0];
      });
      await server.database.execute(
        `insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length,
                            crawl_duration_ms)
         values ($1, 'x', 'https://before.example/new', 0, 200, 1, 1, 1)`,
        [id],
      );
      return { job };
    });
    expect(await done.job).toMatchObject({ state: 'done', done: 5 });
    expect((await walk({ domain: 'before.example' })).map(({ url }) => url)).toEqual([
      'https://before.example/new',
    ]);
    await server.database.execute("delete from pages where url = 'https://before.example/new'");
  });

  test('goes through many domains in several portions', async () => {
    await plantPages(server.database, [
      { domain: 'large.example', pages: 4500 },
      { domain: 'after.example', pages: 700 },
    ]);
    const { rows } = await server.database.db.query<{ count: number }>('select count(*) as count from pages');
    expect(await purge({ confirm: 'all' })).toMatchObject({ state: 'done', done: rows[0]?.count });
    expect((await list({})).items).toEqual([]);
    await expectImagesConsistent();
  });

  test.each<Query>([{}, { recrawl: 'true' }])('does not purge everything for %o', async (query) => {
    expect((await admin.delete('/api/admin/pages', query)).problem).toMatchObject({
      ...{ status: 400, code: 'not-confirmed' },
      hint: expect.stringContaining('confirm=all'),
    });
  });

  test('shows what was asked for by the names it was asked for with, and nothing of the inside', async () => {
    await plantPages(server.database, [{ domain: 'shown.example', pages: 1 }]);
    const query = { domain: 'shown.example', crawledUntil: '2020-01-01T01:00:00+01:00', isGone: 'true' };
    const { body } = await admin.delete('/api/admin/pages', query);
    expect(body).toMatchObject({
      params: {
        ...{ domain: 'shown.example', crawledUntil: '2020-01-01T00:00:00.000Z' },
        ...{ isGone: true, recrawl: false },
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/upToId|domainId|restMs/);
  });

  test.each<Query>([
    { all: 'true' },
    { status: 'x' },
    { domain: '' },
    { crawledUntil: '2020' },
    { confirm: 'yes' },
  ])('refuses %o', async (query) => {
    expect((await admin.delete('/api/admin/pages', query)).problem).toMatchObject({
      status: 400,
      code: 'invalid',
    });
  });

  test('refuses a domain that is not known', async () => {
    const { problem } = await admin.delete('/api/admin/pages', { domain: 'three.example' });
    expect(problem).toMatchObject({ status: 404, code: 'unknown-domain' });
  });

  test('is for those who may manage', async () => {
    const query = { status: 404 };
    expect((await server.client().delete('/api/admin/pages', query)).status).toBe(401);
    for (const role of ['user', 'bot'] as const) {
      expect((await (await server.as(role)).delete('/api/admin/pages', query)).problem?.code).toBe(
        'not-permitted',
      );
    }
  });

  test('is on the audit log', async () => {
    await admin.delete('/api/admin/pages', { status: 599 });
    const { rows } = await server.database.db.query(
      "select action, details from audit_log where details->'params'->>'status' = '599'",
    );
    expect(rows).toMatchObject([{ action: 'job.submit', details: { kind: 'purge-pages' } }]);
  });
});

async function readUrls(domain: string): Promise<Array<{ state: string }>> {
  const { rows } = await server.database.db.query<{ state: string }>(
    `select u.state::text as state, etag, last_modified, content_hash, simhash, next_crawl_at > now() as "isLater"
       from urls u join domains d on d.id = u.domain_id where d.domain = $1 order by u.url`,
    [domain],
  );
  return rows;
}

async function readDomain(domain: string): Promise<object | undefined> {
  const { rows } = await server.database.db.query('select * from domains where domain = $1', [domain]);
  return rows[0];
}

async function expectImagesConsistent(): Promise<void> {
  const { rows } = await server.database.db.query(
    `select d.domain from domains d
      where d.images_found <> (select coalesce(sum(images_count), 0) from pages p where p.domain_id = d.id)
         or d.crawl_depth_reached <> (select coalesce(max(depth), 0) from pages p where p.domain_id = d.id)`,
  );
  expect(rows).toEqual([]);
}
