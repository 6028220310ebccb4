/** The bytes of images and the rows that name them: whatever happens in between, no row names what is not there. */
import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanImages } from '../../src/control/images/clean-images.ts';
import { type BlobStore, localBlobStore } from '../../src/engine/images/blob-store.ts';
import { StoreError } from '../../src/engine/store/store-error.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { runTestCrawl, temporaryDirectory } from '../support/crawl-support.ts';
import { picture } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const IMAGES = 6;
let origin: Origin;
let database: TestDatabase;
let directory: string;
let blobs: BlobStore;
beforeAll(async () => {
  origin = await startOrigin();
  const bodies = new Map<string, Buffer>();
  for (let number = 0; number < IMAGES; number += 1) {
    bodies.set(`/${number}.png`, await picture(400 + number, 300, number * 20));
  }
  origin.site('shop', {
    pages: {
      '/': `<!doctype html><title>Shop</title>${[...bodies.keys()].map((src) => `<img src="${src}">`).join('')}`,
      '/*': ({ url, response }) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(bodies.get(url.pathname)),
    },
  });
});
beforeEach(async () => {
  database = await createTestDatabase();
  directory = await temporaryDirectory();
  blobs = localBlobStore(directory);
  return () => database.drop();
});
afterAll(() => origin.close());

const crawl = (store: BlobStore) =>
  runTestCrawl({
    ...{ db: database.db, seeds: [origin.hostUrl('shop', '/')], blobs: store },
    settings: { imagesMode: 'all' },
  });

async function storedHashes(): Promise<Buffer[]> {
  const { rows } = await database.db.query<{ hash: Buffer }>('select content_hash as hash from images');
  return rows.map(({ hash }) => hash);
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}/.test(name));
}

async function expectWhole(): Promise<void> {
  const hashes = await storedHashes();
  expect(hashes).toHaveLength(IMAGES);
  for (const hash of hashes) expect(await blobs.has(hash)).toBe(true);
  await expectConsistent(database.db);
}

describe('a disk that is full', () => {
  it('ends the crawl with a sentence, and going on later finds everything still due', async () => {
    let puts = 0;
    const full: BlobStore = {
      ...blobs,
      put: async (...args) => {
        puts += 1;
        if (puts > 4)
          throw new StoreError('ENOSPC', directory, 'Images cannot be written: the disk is full.');
        await blobs.put(...args);
      },
    };
    await expect(crawl(full)).rejects.toThrow('the disk is full');
    for (const hash of await storedHashes()) expect(await blobs.has(hash)).toBe(true);
    await crawl(blobs);
    await expectWhole();
  });
});

describe('bytes that are removed between their writing and their row', () => {
  it('are fetched again: the row waits for them', async () => {
    let isRemoved = false;
    const leaky: BlobStore = {
      ...blobs,
      put: async (hash, variant, bytes) => {
        await blobs.put(hash, variant, bytes);
        if (variant !== 'original' || isRemoved) return;
        isRemoved = true;
        await blobs.remove(hash);
      },
    };
    await crawl(leaky);
    expect(isRemoved).toBe(true);
    await expectWhole();
    expect(origin.requests.filter((request) => request.path.endsWith('.png')).length).toBeGreaterThan(IMAGES);
  });
});

describe('cleaning up', () => {
  it('removes what nothing refers to, after its grace, and leaves the rest alone', async () => {
    await crawl(blobs);
    const orphan = Buffer.alloc(32, 7);
    await blobs.put(orphan, 'original', Buffer.from('left by somebody who was killed'));
    expect(await cleanImages(database.db, blobs)).toEqual({ images: 0, files: 0 });
    expect(await blobs.has(orphan)).toBe(true);
    await expectWhole();
    // As if it had all happened two days ago.
    const before = new Date(Date.now() - 2 * 86_400_000);
    for (const name of await filesOf(directory)) await utimes(path.join(directory, name), before, before);
    await database.execute("update images set last_seen_at = now() - interval '2 days'");
    expect(await cleanImages(database.db, blobs)).toEqual({ images: 0, files: 1 });
    expect(await blobs.has(orphan)).toBe(false);
    await expectWhole();
    await database.execute('delete from image_provenance');
    expect(await cleanImages(database.db, blobs)).toEqual({ images: IMAGES, files: 0 });
    expect(await storedHashes()).toEqual([]);
    expect(await filesOf(directory)).toEqual([]);
  });

  it('leaves alone what was stored again just now', async () => {
    await crawl(blobs);
    const [hash = Buffer.alloc(32)] = await storedHashes();
    const before = new Date(Date.now() - 2 * 86_400_000);
    for (const name of await filesOf(directory)) await utimes(path.join(directory, name), before, before);
    await database.execute('delete from images');
    await blobs.put(hash, 'original', await contentOf(hash));
    const { files } = await cleanImages(database.db, blobs);
    expect(files).toBeGreaterThan(0);
    expect(await blobs.has(hash)).toBe(true);
  });
});

async function contentOf(hash: Buffer): Promise<Buffer> {
  const blob = await blobs.open(hash, 'original');
  const chunks: Buffer[] = [];
  for await (const chunk of blob?.stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
