/** A crawl that is killed between the bytes of its images and the rows that name them. */
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { holdLock } from '../support/crawl-crash.ts';
import { awaitLockWait, buildProgram, startCrawl } from '../support/crawl-process.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { picture } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const IMAGES = 5;
let origin: Origin;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  await buildProgram();
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
  dataDir = await temporaryDirectory();
  return () => database.drop();
});
afterAll(() => origin.close());

it('leaves files that no row names, and going on finds the images still due', async () => {
  const { db } = database;
  const seeds = [origin.hostUrl('shop', '/')];
  const options = { dataDir, databaseUrl: database.url, args: ['--images', 'all'] };
  const release = await holdLock(db, 'lock table images in share row exclusive mode');
  const killed = startCrawl(seeds, options);
  // Its bytes are in the store; its row waits for us.
  await awaitLockWait(db, 'forager');
  const blobs = localBlobStore(path.join(dataDir, 'images'));
  const firstBlob = async () => {
    for await (const blob of blobs.list(new Date(0))) return blob;
    return undefined;
  };
  await waitUntil(firstBlob);
  await killed.kill();
  await release();
  expect((await db.query('select from images')).rows).toHaveLength(0);
  expect((await db.query('select from image_urls')).rows).toHaveLength(0);

  const next = await startCrawl(seeds, options).ended;
  expect(JSON.parse(next.stdout)).toMatchObject({ reason: 'complete' });
  const { rows } = await db.query<{ hash: Buffer }>('select content_hash as hash from images');
  expect(rows).toHaveLength(IMAGES);
  for (const { hash } of rows) expect(await blobs.has(hash)).toBe(true);
  expect((await db.query('select images_stored from domains')).rows).toEqual([{ images_stored: IMAGES }]);
  await expectConsistent(db);
});
