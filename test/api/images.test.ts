import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { Handler } from '../origin/site.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { picture, SCRIPTED_SVG } from '../support/pictures.ts';

let server: TestServer;
let user: ApiClient;
let origin: Origin;
let dataDir: string;
let large: Buffer;
const TALL = 9;
beforeAll(async () => {
  origin = await startOrigin();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-images-'));
  server = await startTestServer({ dataDir });
  user = await server.as('user');
  large = await picture(640, 480, 50, 'jpeg');
  const small = await picture(30, TALL);
  const send =
    (body: Buffer | string): Handler =>
    ({ response }) =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  const images = [...Array(12).keys()].map((number) => `<img src="/n/${number}.png">`).join('');
  const pages: Record<string, Handler | string> = {
    '/': `<!doctype html><title>Shop</title><img src="/large.jpg" alt="Something large"><img src="/again.jpg">
      <img src="/evil.png"><img src="/evil2.png">${images}`,
    '/large.jpg': send(large),
    '/again.jpg': send(large),
    '/evil.png': send(SCRIPTED_SVG),
    '/evil2.png': send('<!doctype html><p>Hello'),
  };
  for (const number of Array(12).keys())
    pages[`/n/${number}.png`] = send(await picture(20 + number, 20, number));
  origin.site('shop', { pages });
  origin.site('other', {
    pages: { '/': `<!doctype html><title>Other</title><img src="/small.png">`, '/small.png': send(small) },
  });
  await runTestCrawl({
    ...{ db: server.database.db, seeds: [origin.hostUrl('shop', '/'), origin.hostUrl('other', '/')] },
    blobs: localBlobStore(path.join(dataDir, 'images')),
    settings: { imagesMode: 'all' },
  });
});
afterAll(async () => {
  await server.close();
  await origin.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface ImageBody {
  readonly id: number;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
}

type Query = Readonly<Record<string, string | number>>;

async function walk<T>(path: string, query: Query): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await user.get(path, cursor === '' ? query : { ...query, cursor });
    expect(status).toBe(200);
    const page = body as { items: T[]; nextCursor: string | null };
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

const idOf = async (query: Query): Promise<number> => {
  const [image] = await walk<ImageBody>('/api/images', query);
  return image?.id ?? 0;
};

describe('GET /api/images', () => {
  test('gives every image once, the newest first, however small the pages of the list', async () => {
    const all = await walk<ImageBody>('/api/images', { limit: 4 });
    const ids = all.map(({ id }) => id);
    expect(ids).toHaveLength(14);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  test('finds those on the pages of a domain, one with two addresses once', async () => {
    const ofShop = await walk<ImageBody>('/api/images', {
      domain: new URL(origin.hostUrl('shop', '/')).host,
      limit: 5,
    });
    expect(ofShop).toHaveLength(13);
    expect(ofShop.filter(({ width }) => width === 640)).toHaveLength(1);
    expect(ofShop.map(({ height }) => height)).not.toContain(TALL);
  });

  test('finds them by type and by size', async () => {
    const jpegs = await walk<ImageBody>('/api/images', { contentType: 'image/jpeg' });
    expect(jpegs.map(({ width, height }) => [width, height])).toEqual([[640, 480]]);
    expect(await walk<ImageBody>('/api/images', { minWidth: 31 })).toHaveLength(2);
  });

  test('refuses what makes no sense, and a domain that is not known', async () => {
    expect((await user.get('/api/images', { contentType: 'image/svg+xml' })).status).toBe(400);
    expect((await user.get('/api/images', { domain: 'a.example', product: 3 })).status).toBe(400);
    expect((await user.get('/api/images', { domain: 'a.example' })).problem?.code).toBe('unknown-domain');
  });
});

describe('GET /api/images/refused', () => {
  test('tells what was not kept, and why', async () => {
    const refused = await walk<{ url: string; code: string; reason: string }>('/api/images/refused', {
      limit: 1,
    });
    expect(Object.fromEntries(refused.map(({ url, code }) => [new URL(url).pathname, code]))).toEqual({
      '/evil.png': 'svg',
      '/evil2.png': 'not-an-image',
    });
    expect(await walk('/api/images/refused', { code: 'svg' })).toHaveLength(1);
    expect(refused.every(({ reason }) => reason.endsWith('.'))).toBe(true);
  });
});

describe('GET /api/images/:id', () => {
  test('tells where it lies and where it was seen', async () => {
    const { body } = await user.get(`/api/images/${await idOf({ contentType: 'image/jpeg' })}`);
    expect(body).toMatchObject({
      width: 640,
      height: 480,
      byteCount: large.length,
      hasThumbnail: true,
      isHere: true,
    });
    const { urls, places } = body as {
      urls: { url: string }[];
      places: { pageUrl: string; alt: string | null }[];
    };
    expect(urls.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/again.jpg', '/large.jpg']);
    expect(places.map(({ pageUrl }) => pageUrl)).toEqual([
      origin.hostUrl('shop', '/'),
      origin.hostUrl('shop', '/'),
    ]);
    expect(places.map(({ alt }) => alt)).toContain('Something large');
  });

  test('says that there is none', async () => {
    for (const path of ['', '/content', '/thumbnail']) {
      const { status, problem } = await user.get(`/api/images/999999${path}`);
      expect([status, problem?.code]).toEqual([404, 'unknown-image']);
    }
    expect((await user.get('/api/images/x')).status).toBe(400);
  });
});

describe('the bytes of an image', () => {
  async function fetchBytes(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const key = await server.keyOf('user');
    return fetch(new URL(path, server.url), { headers: { authorization: `Bearer ${key}`, ...headers } });
  }

  test('are sent as an image and as nothing else, and once', async () => {
    const path = `/api/images/${await idOf({ contentType: 'image/jpeg' })}/content`;
    const answer = await fetchBytes(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': expect.stringMatching(/^inline; filename="image-\d+\.jpeg"$/) as unknown,
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
    const again = await fetchBytes(path, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('come small as well; a small one is its own thumbnail', async () => {
    const thumbnail = await fetchBytes(`/api/images/${await idOf({ contentType: 'image/jpeg' })}/thumbnail`);
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    const { width, format } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect([width, format]).toEqual([320, 'webp']);
    const small = await fetchBytes(`/api/images/${await idOf({ contentType: 'image/png' })}/thumbnail`);
    expect(small.headers.get('content-type')).toBe('image/png');
  });

  test('that are not on this machine are said not to be', async () => {
    const id = await idOf({ domain: new URL(origin.hostUrl('other', '/')).host });
    const { body } = await user.get(`/api/images/${id}`);
    const { contentHash } = body as { contentHash: string };
    await localBlobStore(path.join(dataDir, 'images')).remove(Buffer.from(contentHash, 'hex'));
    const { status, problem } = await user.get(`/api/images/${id}/content`);
    expect([status, problem?.code]).toEqual([404, 'image-not-here']);
    expect((await user.get(`/api/images/${id}`)).body).toMatchObject({ isHere: false });
  });
});

test('images are for those who may read', async () => {
  const id = await idOf({ contentType: 'image/jpeg' });
  for (const path of ['', '/refused', `/${id}`, `/${id}/content`, `/${id}/thumbnail`]) {
    expect((await server.client().get(`/api/images${path}`)).status).toBe(401);
    expect((await (await server.as('bot')).get(`/api/images${path}`)).status).toBe(403);
  }
});

test('a domain says which images of its pages are wanted', async () => {
  const admin = await server.as('admin');
  const host = encodeURIComponent(new URL(origin.hostUrl('other', '/')).host);
  const changed = await admin.patch(`/api/admin/domains/${host}`, { images: 'products' });
  expect(changed.body).toMatchObject({ images: 'products' });
  expect((await admin.patch(`/api/admin/domains/${host}`, { images: 'some' })).status).toBe(400);
  expect((await admin.patch(`/api/admin/domains/${host}`, { images: null })).body).toMatchObject({
    images: null,
  });
});
