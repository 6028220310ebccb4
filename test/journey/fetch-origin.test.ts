/** The local web keeps its own promises, seen through the fetcher: other suites stand on them. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { htmlAsRobots, hugeRobots } from '../origin/behaviours/robots.ts';
import { gzippedSitemap, sitemap, sitemapIndex } from '../origin/behaviours/sitemaps.ts';
import { hang } from '../origin/behaviours/slow.ts';
import { status } from '../origin/behaviours/statuses.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { goodSite } from '../origin/good-site.ts';
import { misbehavingSite } from '../origin/misbehaving-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

let origin: Origin;
let fetcher: Fetcher;

beforeAll(async () => {
  origin = await startOrigin();
  fetcher = createTestFetcher();
});

afterAll(async () => {
  await fetcher.close();
  await origin.close();
});

async function readText(site: string, path: string): Promise<string> {
  const result = await fetcher.fetch(pageRequest(origin.hostUrl(site, path), { accept: 'any' }));
  return expectResponse(result).body.toString();
}

async function readLinks(site: string, path: string): Promise<string[]> {
  const text = await readText(site, path);
  const base = origin.hostUrl(site, path);
  return [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&'), base);
    return url.pathname + url.search;
  });
}

describe('a good site', () => {
  it.each([
    { pages: 1, linksPerPage: 3 },
    { pages: 7, linksPerPage: 3 },
    { pages: 60, linksPerPage: 10 },
  ])('has exactly its pages, all of them linked: $pages', async ({ pages, linksPerPage }) => {
    origin.site('good', goodSite({ pages, linksPerPage }));
    const seen = new Set(['/']);
    for (const path of seen) for (const link of await readLinks('good', path)) seen.add(link);
    expect(seen.size).toBe(pages);
  });
});

describe('traps', () => {
  it.each(['/calendar/2024/1', '/session/a', '/facets', '/growing/'])(
    'offer new pages on every page: %s',
    async (start) => {
      origin.site('traps', misbehavingSite());
      const seen = new Set([start]);
      let path = start;
      for (let step = 0; step < 10; step++) {
        const fresh = (await readLinks('traps', path)).filter((link) => !seen.has(link));
        expect(fresh).not.toHaveLength(0);
        path = fresh.at(-1) ?? path;
        seen.add(path);
      }
    },
  );
});

describe('robots.txt', () => {
  const fetchRobots = (site: string, changes = {}) =>
    fetcher.fetch(pageRequest(origin.hostUrl(site, '/robots.txt'), { accept: 'any', ...changes }));

  it('is each site\u2019s own, and 404 where a site has none', async () => {
    origin.site('strict', { robots: 'User-agent: *\nDisallow: /\n', pages: {} });
    origin.site('lax', { pages: { '/': 'home' } });
    expect(await readText('strict', '/robots.txt')).toContain('Disallow: /');
    expect(await fetchRobots('lax')).toMatchObject({ kind: 'response', status: 404 });
  });

  it('may fail, hang, redirect or be something else altogether', async () => {
    origin.site('r503', { robots: status(503), pages: {} });
    origin.site('hang', { robots: hang, pages: {} });
    origin.site('moved', { robots: redirectTo('/rules.txt', 301), pages: {} });
    origin.site('app', { robots: htmlAsRobots, pages: {} });
    expect(await fetchRobots('r503')).toMatchObject({ kind: 'response', status: 503 });
    expect(await fetchRobots('hang', { timeoutMs: 100 })).toMatchObject({ reason: 'headers-timeout' });
    const location = origin.hostUrl('moved', '/rules.txt');
    expect(await fetchRobots('moved')).toMatchObject({ kind: 'redirect', location });
    expect(await readText('app', '/robots.txt')).toContain('<div id="app">');
  });

  it('may be huge, and is cut where the caller says', async () => {
    origin.site('huge', { robots: hugeRobots(3_000_000, 'User-agent: *\nDisallow: /private'), pages: {} });
    const result = await fetchRobots('huge', { onOversize: 'truncate', maxBodyBytes: 512_000 });
    const { body, isTruncated } = expectResponse(result);
    expect([body.length, isTruncated]).toEqual([512_000, true]);
    expect(body.toString()).toContain('/private');
    expect(body.toString()).not.toContain('/after-the-limit');
  });
});

describe('sitemaps', () => {
  it('come plain, as an index and as gzip files that are left packed', async () => {
    const urls = [origin.hostUrl('map', '/a?x=1&y=2'), origin.hostUrl('map', '/b')];
    origin.site('map', {
      pages: {
        '/sitemap.xml': sitemapIndex([
          origin.hostUrl('map', '/one.xml'),
          origin.hostUrl('map', '/two.xml.gz'),
        ]),
        '/one.xml': sitemap(urls),
        '/two.xml.gz': gzippedSitemap(urls),
      },
    });
    expect(await readText('map', '/sitemap.xml')).toContain('<sitemapindex');
    expect(await readText('map', '/one.xml')).toContain('/a?x=1&amp;y=2</loc>');
    const packed = await fetcher.fetch(pageRequest(origin.hostUrl('map', '/two.xml.gz'), { accept: 'any' }));
    expect(gunzipSync(expectResponse(packed).body).toString()).toContain('/b</loc>');
  });
});

it('logs every request with its site, path and time, oldest first', async () => {
  origin.forgetRequests();
  origin.site('logged', { pages: { '/*': 'page' } });
  await readText('logged', '/1?q');
  await readText('logged', '/2');
  expect(origin.requests.map(({ site, path }) => [site, path])).toEqual([
    ['logged', '/1?q'],
    ['logged', '/2'],
  ]);
  const [first, second] = origin.requests;
  expect(second?.atMs).toBeGreaterThanOrEqual(first?.atMs ?? Number.NaN);
});
