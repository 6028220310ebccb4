import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoWeb } from '../../src/demo/start-demo-web.ts';
import { startDemoWeb } from '../../src/demo/start-demo-web.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

let demo: DemoWeb;

beforeAll(async () => {
  demo = await startDemoWeb();
});

afterAll(async () => {
  await demo.close();
});

/** Node does not resolve *.localhost everywhere, so the name goes into the Host header only. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { host, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent: false, host: '127.0.0.1', port, path: pathname + search, headers: { host, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function siteUrl(domain: string): string {
  const site = demo.sites.find((each) => each.domain === domain);
  if (site === undefined) throw new Error(`no site ${domain}`);
  return site.url;
}

const TINKER = 'tinker-and-sons.localhost';
const MOSS = 'moss-and-marrow.localhost';
const KETTLE = 'the-slow-kettle.localhost';
const WREN = 'wren-handbook.localhost';

/** What robots.txt of the four sites forbids, with the trap and the sessions left out as well. */
const AVOIDED =
  /\/basket|\/account\/(?!gift-cards)|sort=|\?print=|\/drafts\/$|\/internal\/|\.txt$|\/lottery\//;

interface Walk {
  readonly answers: ReadonlyMap<string, Answer>;
}

/** Follows every link of a site breadth first, as a careful crawler would. */
async function walkSite(startUrl: string): Promise<Walk> {
  const origin = new URL(startUrl).origin;
  const answers = new Map<string, Answer>();
  const queue = [startUrl];
  const known = new Set(queue);
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const answer = await get(url);
    answers.set(url, answer);
    for (const target of readTargets(answer, url)) {
      target.hash = '';
      for (const name of [...target.searchParams.keys()]) {
        if (/^utm_|^PHPSESSID$/.test(name)) target.searchParams.delete(name);
      }
      const isTrap = /\/calendar\/(?!2025\/0[2-4])|\/echo\/echo\//.test(target.pathname);
      if (target.origin !== origin || isTrap || AVOIDED.test(target.href) || known.has(target.href)) continue;
      known.add(target.href);
      queue.push(target.href);
    }
  }
  return { answers };
}

function readTargets(answer: Answer, url: string): URL[] {
  const { location } = answer.headers;
  if (typeof location === 'string') return [new URL(location, url)];
  if (!String(answer.headers['content-type']).startsWith('text/html')) return [];
  const html = answer.body.toString('utf8');
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(
    (match) => new URL((match[1] ?? '').replaceAll('&amp;', '&'), url),
  );
}

describe('the demo web as a whole', () => {
  test('every link leads somewhere, but for those that are meant not to', async () => {
    const failures: string[] = [];
    let pageCount = 0;
    for (const site of demo.sites) {
      const { answers } = await walkSite(site.url);
      for (const [url, answer] of answers) {
        const isHtml = String(answer.headers['content-type']).startsWith('text/html');
        if (answer.status === 200 && isHtml) pageCount += 1;
        if (answer.status >= 400)
          failures.push(`${answer.status} ${url.replace(site.url, `${site.domain}/`)}`);
      }
    }

    expect(failures.sort()).toEqual(
      [
        `404 ${MOSS}/ladder-to-the-moon`,
        `404 ${KETTLE}/recipe-for-fog`,
        `404 ${TINKER}/ladder-to-the-moon`,
        `410 ${MOSS}/discontinued`,
        `410 ${TINKER}/discontinued`,
        `410 ${WREN}/v0/`,
        `503 ${MOSS}/clearance`,
        `503 ${TINKER}/clearance`,
      ].sort(),
    );
    expect(pageCount).toBeGreaterThan(400);
    expect(pageCount).toBeLessThan(700);
  });

  test('two starts serve the same bytes, but for the port', async () => {
    const other = await startDemoWeb();
    const readAll = async (web: DemoWeb): Promise<string> => {
      const pages = ['c/hand-tools/', 'p/', 'about', 'sitemap-rooms.xml'].map((path) =>
        get(`${web.sites[0]?.url ?? ''}${path}`),
      );
      const text = (await Promise.all(pages)).map(({ body }) => body.toString()).join('');
      return text.replaceAll(new URL(web.url).port, 'PORT');
    };
    const [one, two] = [await readAll(demo), await readAll(other)];
    await other.close();

    expect(one).toContain('localhost:PORT');
    expect(two).toBe(one);
  });

  test('what was asked can be read back with its status', async () => {
    await get(`${siteUrl(WREN)}docs?x=1`, { 'user-agent': 'tester/1' });

    expect(demo.requests.at(-1)).toMatchObject({
      method: 'GET',
      host: WREN,
      target: '/docs?x=1',
      status: 301,
      userAgent: 'tester/1',
    });
  });

  test('a foreign host name is refused and the bare address lists the sites', async () => {
    const port = new URL(demo.url).port;
    const stranger = await get(`http://elsewhere.localhost:${port}/`);
    const front = await get(demo.url);

    expect(stranger.status).toBe(421);
    for (const site of demo.sites) expect(front.body.toString()).toContain(site.url);
  });
});

describe('the shops', () => {
  test('one tells its prices in JSON-LD, the other in microdata', async () => {
    const tinker = (await get(siteUrl(TINKER))).body.toString();
    const moss = (await get(siteUrl(MOSS))).body.toString();
    const first = (html: string): string => /href="\/p\/([^"?]+)/.exec(html)?.[1] ?? '';
    const jsonLdPage = (await get(`${siteUrl(TINKER)}p/${first(tinker)}`)).body.toString();
    const microdataPage = (await get(`${siteUrl(MOSS)}p/${first(moss)}`)).body.toString();

    const script = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(jsonLdPage)?.[1] ?? '';
    const product = JSON.parse(script)['@graph'][0];
    expect(product).toMatchObject({ '@type': 'Product', offers: { priceCurrency: 'GBP' } });
    expect(product.offers.price).toMatch(/^\d+\.\d\d$/);
    expect(microdataPage).toMatch(/itemtype="https:\/\/schema.org\/Product"/);
    expect(microdataPage).toMatch(/itemprop="price" content="\d+\.\d\d">\d+,\d\d €/);
    expect(microdataPage).not.toContain('ld+json');
  });

  test('a product under its second address names the first as canonical', async () => {
    const category = (await get(`${siteUrl(TINKER)}c/hand-tools/`)).body.toString();
    const second = /href="\/c\/hand-tools\/([^"?/]+)"/.exec(category)?.[1] ?? 'none';
    const page = await get(`${siteUrl(TINKER)}c/hand-tools/${second}`);

    expect(page.status).toBe(200);
    expect(page.body.toString()).toContain(`<link rel="canonical" href="${siteUrl(TINKER)}p/${second}">`);
  });

  test('about and about-us are the same bytes', async () => {
    const [one, other] = [await get(`${siteUrl(MOSS)}about`), await get(`${siteUrl(MOSS)}about-us`)];

    expect(one.body.equals(other.body)).toBe(true);
  });

  test('the clearance page is busy once and then recovers', async () => {
    const fresh = await startDemoWeb();
    const url = `${fresh.sites[0]?.url ?? ''}clearance`;
    const answers = [await get(url), await get(url), await get(url)];
    await fresh.close();

    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
    expect(answers[0]?.headers['retry-after']).toBe('1');
  });

  test('the sitemap index leads to a gzipped sitemap of every product', async () => {
    const index = (await get(`${siteUrl(MOSS)}sitemap.xml`)).body.toString();
    const zipped = await get(`${siteUrl(MOSS)}sitemap-products.xml.gz`);
    const sitemap = gunzipSync(zipped.body).toString();

    expect(index).toContain(`${siteUrl(MOSS)}sitemap-products.xml.gz`);
    expect(sitemap.match(/<loc>/g)).toHaveLength(78);
  });

  test('whoever reaches the help desk keeps one session in every link', async () => {
    const desk = (await get(`${siteUrl(MOSS)}help`)).body.toString();
    const first = /href="(\/help\/[^"]+)"/.exec(desk)?.[1] ?? '';
    const topic = (await get(new URL(first, siteUrl(MOSS)).href)).body.toString();
    const sessions = (html: string): Set<string | undefined> =>
      new Set([...html.matchAll(/PHPSESSID=([0-9a-f]+)/g)].map((match) => match[1]));

    expect(sessions(desk).size).toBe(1);
    expect(sessions(topic)).toEqual(sessions(desk));
  });
});

describe('the blog and the handbook', () => {
  test('the calendar has a next month for ever', async () => {
    let path = '/calendar/2025/03/';
    for (let turn = 0; turn < 30; turn += 1) {
      const page = await get(new URL(path, siteUrl(KETTLE)).href);
      expect(page.status).toBe(200);
      path = [...page.body.toString().matchAll(/href="(\/calendar\/\d[^"]*)"/g)].at(-1)?.[1] ?? '';
    }

    expect(path).toBe('/calendar/2027/09/');
  });

  test('the echo answers one level deeper each time', async () => {
    let url = `${siteUrl(WREN)}echo/`;
    for (let turn = 0; turn < 5; turn += 1) {
      const page = await get(url);
      expect(page.status).toBe(200);
      url = new URL(/href="(echo\/)"/.exec(page.body.toString())?.[1] ?? '', url).href;
    }

    expect(new URL(url).pathname).toBe('/echo/echo/echo/echo/echo/echo/');
  });

  test('both feeds name the newest article', async () => {
    const home = (await get(siteUrl(KETTLE))).body.toString();
    const newest = /<h2><a href="([^"]+)"/.exec(home)?.[1] ?? 'none';

    for (const feed of ['feed.xml', 'atom.xml']) {
      const xml = (await get(siteUrl(KETTLE) + feed)).body.toString();
      expect(xml).toContain(new URL(newest, siteUrl(KETTLE)).href);
    }
  });

  test('robots.txt asks for a delay and readers’ links carry ugc nofollow', async () => {
    const robots = (await get(`${siteUrl(KETTLE)}robots.txt`)).body.toString();
    const { answers } = await walkSite(siteUrl(KETTLE));
    const readersLinks = [...answers.values()].flatMap(({ body }) => [
      ...body.toString().matchAll(/<a [^>]*href="\/lottery[^>]*>/g),
    ]);

    expect(robots).toMatch(/^Crawl-delay: 0\.2$/m);
    expect(readersLinks.length).toBeGreaterThan(20);
    for (const [link] of readersLinks) expect(link).toContain('rel="ugc nofollow"');
  });

  test('the guestbook is written in ISO 8859-1', async () => {
    const { headers, body } = await get(`${siteUrl(KETTLE)}guestbook`);

    expect(headers['content-type']).toBe('text/html; charset=iso-8859-1');
    expect(body.toString('latin1')).toContain('Smørrebrød');
    expect(body.toString('utf8')).not.toContain('Smørrebrød');
  });
});

describe('conversation with caches', () => {
  test('a copy that still holds is answered with 304 and no body', async () => {
    const url = `${siteUrl(WREN)}v2/`;
    const { headers } = await get(url);
    const byTag = await get(url, { 'if-none-match': String(headers.etag) });
    const byDate = await get(url, { 'if-modified-since': String(headers['last-modified']) });
    const stale = await get(url, {
      'if-none-match': '"other"',
      'if-modified-since': String(headers['last-modified']),
    });

    expect([byTag.status, byDate.status, stale.status]).toEqual([304, 304, 200]);
    expect(byTag.body).toHaveLength(0);
  });

  test('a client that understands gzip gets the same page compressed', async () => {
    const url = siteUrl(TINKER);
    const plain = await get(url);
    const zipped = await get(url, { 'accept-encoding': 'gzip' });

    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  });
});
