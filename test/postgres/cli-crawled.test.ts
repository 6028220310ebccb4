/** The commands that show what was crawled, on a site that really was. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPages } from '../../src/control/export/export-pages.ts';
import { PAGE_FIELDS } from '../../src/control/pages/page-row.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let origin: Origin;
let database: TestDatabase;
let dataDir: string;
let shop: string;

const prose = 'The kettle boils when it boils, and not a moment before that. '.repeat(20);
const page = (title: string, links: readonly string[] = [], head = ''): string =>
  htmlPage(title, links, prose).replace('</head>', `${head}</head>`);

beforeAll(async () => {
  origin = await startOrigin();
  origin.site('shop', {
    robots: 'User-agent: *\nDisallow: /secret\n',
    pages: {
      '/': page('Home', ['/formula', '/hidden', '/kept-out', '/missing', '/secret/plan', '/latin']),
      '/formula': page('=HYPERLINK("http://evil.example","click")', ['/']),
      '/hidden': page('Hidden', [], '<meta name="robots" content="noindex">'),
      '/kept-out': page('Not archived', [], '<meta name="robots" content="noarchive">'),
      '/latin': ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
        response.end(Buffer.from(page('Café \u001b[31m').replace('<meta charset="utf-8">', ''), 'latin1'));
      },
    },
  });
  origin.site('other', { pages: { '/': page('Elsewhere') } });
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-cli-data-'));
  const warcDirectory = path.join(dataDir, 'warc');
  shop = origin.hostUrl('shop', '');
  await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('shop', '/')], warcDirectory });
  await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('other', '/')] });
});
afterAll(async () => {
  await origin.close();
  await rm(dataDir, { recursive: true, force: true });
});

function run(...args: string[]): Promise<CliRun> {
  return runForager([...args, '--data-dir', dataDir], { env: { DATABASE_URL: database.url } });
}

const shopName = (): string => `shop.localhost:${origin.port}`;
const otherName = (): string => `other.localhost:${origin.port}`;

describe('page list', () => {
  it('lists pages in the order in which they were read, with what is known about them', async () => {
    const { code, stdout } = await run('page', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ID\s+STATUS\s+SIZE\s+TITLE\s+URL\n/);
    expect(stdout.split('\n')).toHaveLength(8);
    expect(stdout).not.toContain('\u001b');
  });

  it('gives one JSON object a line, under the names of the export', async () => {
    const rows = (await run('page', 'list', '--json', '--domain', shopName().toUpperCase())).json();
    expect(rows).toHaveLength(5);
    expect(new Set(Object.keys(rows[0] ?? {}))).toEqual(new Set(PAGE_FIELDS));
    expect(rows[0]).toMatchObject({
      url: `${shop}/`,
      status: 200,
      title: 'Home',
      depth: 0,
      noindex: false,
      run: 1,
    });
  });

  it('filters by status and title, and pages on after an id', async () => {
    const all = (await run('page', 'list', '--json')).json();
    const rest = await run('page', 'list', '--json', '--after', String(all[1]?.id), '--limit', '2');
    expect(rest.json().map(({ id }) => id)).toEqual(all.slice(2, 4).map(({ id }) => id));
    expect(rest.stderr).toContain(`--after ${all[3]?.id}`);
    expect((await run('page', 'list', '--json', '--title', 'HIDD')).json()).toMatchObject([
      { title: 'Hidden' },
    ]);
    expect((await run('page', 'list', '--json', '--title', '%')).json()).toEqual([]);
    expect((await run('page', 'list', '--json', '--status', '404')).json()).toEqual([]);
    expect((await run('page', 'list', '--status', '404')).stdout).toBe('No pages.\n');
  });

  it('says which domain may have been meant', async () => {
    const wrong = await run('page', 'list', '--domain', `shpo.localhost:${origin.port}`);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain(`did you mean ${shopName()}`);
  });

  it.each([
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--status', 'ok'],
    ['--after', '-1'],
    ['--domain', '//'],
  ])('exits 2 for %s %s', async (flag, value) => {
    expect((await run('page', 'list', flag, value)).code).toBe(2);
  });
});

describe('page show', () => {
  it('finds a page by any spelling of its URL and by its id', async () => {
    const byUrl = await run(
      'page',
      'show',
      `HTTP://SHOP.localhost:${origin.port}/formula?utm_source=x#top`,
      '--json',
    );
    expect(byUrl.json()).toMatchObject([{ url: `${shop}/formula`, hasBody: true }]);
    const byName = await run('page', 'show', `${shopName()}/formula`, '--json');
    expect(byName.stdout).toBe(byUrl.stdout);
    const byId = await run('page', 'show', String(byUrl.json()[0]?.id), '--json');
    expect(byId.stdout).toBe(byUrl.stdout);
    expect((await run('page', 'show', `${shop}/formula`)).stdout).toContain('=HYPERLINK(');
  });

  it('gives the text, the article and the page itself out of the kept body', async () => {
    const seen = await run('page', 'show', `${shop}/latin`, '--visible-text');
    expect(seen.stdout).toMatch(/^Café .*The kettle boils when it boils/);
    expect(seen.stdout).not.toContain('\u001b');
    const text = await run('page', 'show', `${shop}/latin`, '--text');
    expect(text.stdout).toContain('The kettle boils when it boils');
    expect(text.stdout).not.toContain('\u001b');
    const markdown = await run('page', 'show', `${shop}/latin`, '--markdown');
    expect(markdown.stdout).toContain('The kettle boils when it boils');
    expect((await run('page', 'show', `${shop}/formula`, '--raw')).stdout).toContain(
      '<!doctype html>\n<html lang="en">',
    );
    const article = (await run('page', 'show', `${shop}/formula`, '--article-json')).json();
    expect(article).toMatchObject([
      { url: `${shop}/formula`, wordCount: expect.any(Number), markdown: expect.any(String) },
    ]);
  });

  it('says why there is no body', async () => {
    const noarchive = await run('page', 'show', `${shop}/kept-out`, '--text');
    expect(noarchive).toMatchObject({ code: 1, stdout: '' });
    expect(noarchive.stderr).toContain('noarchive');
    const noBodies = await run('page', 'show', origin.hostUrl('other', '/'), '--raw');
    expect(noBodies.stderr).toContain('--no-bodies');
  });

  it('says so when there is no such page, and exits 2 for what is no URL', async () => {
    expect(await run('page', 'show', `${shop}/missing`)).toMatchObject({ code: 1, stdout: '' });
    expect(await run('page', 'show', '999999')).toMatchObject({ code: 1, stdout: '' });
    expect((await run('page', 'show', 'ftp://x/')).code).toBe(2);
    expect((await run('page', 'show', `${shop}/`, '--text', '--raw')).code).toBe(2);
  });
});

describe('export pages', () => {
  it('writes every page but those that ask not to be indexed, one JSON object a line', async () => {
    const { stdout, stderr, json } = await run('export', 'pages');
    expect(json().map(({ title }) => title)).toHaveLength(5);
    expect(Object.keys(json()[0] ?? {})).toEqual([...PAGE_FIELDS]);
    expect(stdout).not.toContain('Hidden');
    expect(stderr).toContain('1 left out');
    expect((await run('export', 'pages', '--include-noindex')).json()).toHaveLength(6);
  });

  it('guesses CSV from the file name, is safe to open, and reports what it did', async () => {
    const file = path.join(dataDir, 'pages.csv');
    const done = await run('export', 'pages', '--domain', shopName(), '-o', file, '--json');
    expect(done.json()).toMatchObject([{ file, rows: 4, skippedNoindex: 1 }]);
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    expect(lines[0]).toBe(PAGE_FIELDS.join(','));
    expect(lines).toHaveLength(6);
    expect(lines.find((line) => line.includes('HYPERLINK'))).toContain(
      `,"'=HYPERLINK(""http://evil.example"",""click"")",`,
    );
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('adds what is derived from the kept bodies, null where there is none', async () => {
    const rows = (await run('export', 'pages', '--with', 'text,visibleText,markdown,article,html')).json();
    const latin = rows.find(({ url }) => url === `${shop}/latin`);
    expect(latin).toMatchObject({
      text: expect.stringContaining('kettle'),
      visibleText: expect.stringContaining('Café'),
      article: { kind: expect.any(String) },
    });
    expect(latin?.html).toContain('<title>Café');
    expect(latin?.markdown).toContain('kettle');
    const kept = rows.find(({ url }) => url === `${shop}/kept-out`);
    expect(kept).toMatchObject({ text: null, markdown: null, article: null, html: null });
  });

  it('restricts to the domains of a run', async () => {
    expect((await run('export', 'pages', '--run', '2')).json()).toMatchObject([{ domain: otherName() }]);
    const unknown = await run('export', 'pages', '--run', '77');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('There is no run 77.');
  });

  it('says it in one sentence when the disk is full, the place does not exist or the field is unknown', async () => {
    const full = await run('export', 'pages', '-o', '/dev/full');
    expect(full.code).toBe(1);
    expect(full.stderr).toContain('no space is left');
    expect((await run('export', 'pages', '-o', path.join(dataDir, 'no', 'x.csv'))).code).toBe(1);
    expect((await run('export', 'pages', '--with', 'sound')).code).toBe(2);
    expect((await run('export', 'pages', '--format', 'xml')).code).toBe(2);
  });

  it('reads page after page until the last, however many there are', async () => {
    const many = await createTestDatabase();
    await many.execute(
      "insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', 'http://a.example')",
    );
    await many.execute(`
      insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length, crawl_duration_ms)
      select 1, sha256(n::text::bytea), 'http://a.example/' || n, 0, 200, 0, 0, 1 from generate_series(1, 1250) n`);
    const file = path.join(dataDir, 'many.jsonl');
    expect(await exportPages(many.db, { format: 'jsonl', file })).toMatchObject({
      rows: 1250,
      skippedNoindex: 0,
    });
    const urls = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).url);
    expect(new Set(urls).size).toBe(1250);
  });
});

describe('export urls and log', () => {
  it('writes every known URL with its state', async () => {
    const rows = (await run('export', 'urls', '--domain', shopName())).json();
    const states = Object.fromEntries(rows.map(({ url, state }) => [String(url).replace(shop, ''), state]));
    expect(states).toMatchObject({ '/': 'fetched', '/missing': 'failed', '/secret/plan': 'blocked' });
    expect(rows).toHaveLength(7);
  });

  it('writes the log in order of time', async () => {
    const rows = (await run('export', 'log')).json();
    const times = rows.map(({ fetchedAt }) => String(fetchedAt));
    expect(rows.length).toBeGreaterThanOrEqual(7);
    expect(times).toEqual([...times].sort());
    expect((await run('export', 'log', '--run', '2', '--format', 'csv')).stdout.split('\r\n')).toHaveLength(
      3,
    );
  });
});

describe('explain', () => {
  const explain = async (url: string) => (await run('explain', url, '--json')).json()[0];

  it('says of a fetched page that it is not due', async () => {
    expect(await explain(`${shop}/`)).toMatchObject({
      willBeFetched: false,
      known: { state: 'fetched', seed: true },
    });
    expect((await run('explain', `${shop}/`)).stdout).toContain('It was fetched on');
  });

  it('names the rule that keeps a URL out', async () => {
    const told = await explain(`${shop}/secret/plan`);
    expect(told).toMatchObject({ willBeFetched: false, known: { state: 'blocked' }, robots: { line: 2 } });
    expect(String(told?.why)).toContain('"Disallow: /secret", line 2');
  });

  it('says what became of one that failed', async () => {
    expect(String((await explain(`${shop}/missing`))?.why)).toContain('not found, status 404');
  });

  it('knows what it does not know', async () => {
    expect(await explain(`${shop}/never/linked`)).toMatchObject({ known: null, willBeFetched: false });
    expect(await explain('https://nobody.example/')).toMatchObject({
      domainState: null,
      willBeFetched: false,
    });
    expect(String((await explain(`${shop}/a/b/a/b/a/b/a/b`))?.why)).toContain('looks like a trap');
    expect((await run('explain', 'http://')).code).toBe(2);
  });
});

describe('domain', () => {
  it('status shows progress and states', async () => {
    const { stdout, code } = await run('domain', 'status');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DOMAIN\s+STATUS\s+PAGES\s+IMAGES\s+ERRORS\s+LAST CRAWLED\n/);
    expect(stdout).toMatch(new RegExp(`^${shopName()}\\s+exhausted\\s+5/7\\s+0\\s+1\\s`, 'm'));
    expect((await run('domain', 'status', '--status', 'blocked')).stdout).toBe('No domain is blocked.\n');
    const first = await run('domain', 'status', '--limit', '1', '--json');
    expect(first.json()).toHaveLength(1);
    expect(first.stderr).toContain('1 of 2 domains');
  });

  it('top ranks by pages', async () => {
    expect(
      (await run('domain', 'top', '--by', 'pages', '--json')).json().map(({ domain }) => domain),
    ).toEqual([shopName(), otherName()]);
    expect((await run('domain', 'top')).stdout).toContain('URLS/PAGE');
  });

  it('info tells all about one', async () => {
    const [info] = (await run('domain', 'info', `${shop}/any/page`, '--json')).json();
    expect(info).toMatchObject({
      domain: shopName(),
      status: 'exhausted',
      urls: { fetched: 5, failed: 1, blocked: 1 },
      robots: [{ access: 'parse', isFresh: true }],
      runs: [{ run: 1, pages: 5 }],
    });
    expect(info?.log).toHaveLength(5);
    const { stdout } = await run('domain', 'info', shopName());
    for (const part of ['has rules', '1 blocked, 1 failed, 5 fetched', 'Last fetches', 'nobody'])
      expect(stdout).toContain(part);
  });
});
