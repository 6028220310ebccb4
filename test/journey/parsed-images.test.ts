/** Images of pages that were parsed apart from their fetch: found by the parser, fetched by whoever has the domain. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { temporaryDirectory, testSettings } from '../support/crawl-support.ts';
import { runTestFleet } from '../support/fleet-run.ts';
import { crawlOnly, parseAll, restartParsing } from '../support/parsers.ts';
import { picture } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantTasks } from '../support/tasks.ts';
import { productPage, toldParsers } from '../support/told-products.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  [origin, database] = await Promise.all([startOrigin(), createTestDatabase()]);
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

it('are stored with the product they show, and parsing again finds them where they were', async () => {
  const directory = path.join(await temporaryDirectory(), 'warc');
  const image = await picture(40, 30);
  const images = [{ url: origin.hostUrl('shop', '/kettle.png'), alt: 'A kettle' }];
  const told = { name: 'Kettle', price: '9', currency: 'EUR', availability: 'in_stock', images } as const;
  origin.site('shop', {
    pages: {
      '/kettle': productPage(told),
      '/kettle.png': ({ response }) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    },
  });
  const ids = await plantTasks(database.db, [origin.hostUrl('shop', '/kettle')]);
  await crawlOnly(database.db, directory);
  const settings = { ...testSettings, imagesMode: 'products' } as const;
  const parse = () => parseAll(database.db, directory, { parsers: toldParsers, settings });
  await parse();
  const blobs = localBlobStore(await temporaryDirectory());
  await runTestFleet({ db: database.db, settings, blobs });

  const read = async () =>
    (
      await database.db.query(
        `select i.width, i.height, v.alt, v.kind, v.position, p.name, d.images_stored::int as stored
           from image_provenance v
           join image_urls u on u.url_hash = v.image_url_hash
           join images i on i.id = u.image_id
           join products p on p.id = v.product_id
           join domains d on d.id = v.page_domain_id`,
      )
    ).rows;
  const expected = [
    { width: 40, height: 30, alt: 'A kettle', kind: 'primary', position: 0, name: 'Kettle', stored: 1 },
  ];
  expect(await read()).toEqual(expected);

  await restartParsing(database, ids);
  await parse();
  await runTestFleet({ db: database.db, settings, blobs });
  expect(await read()).toEqual(expected);
  expect(origin.requestsTo('shop').filter(({ path: asked }) => asked === '/kettle.png')).toHaveLength(1);
});
