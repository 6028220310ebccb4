/**
 * Products written by a crawl's commit: new ones, ones that are as they were, and ones whose price has changed, in
 * batches, beside the statement that one would write by hand in their place (insert or update, all columns from arrays,
 * no history, no comparison, no news), in the same database, in turns.
 */
import { createHash } from 'node:crypto';
import { inTurns } from './claim.mjs';
import { inTransaction, openByUrl, openServer, upsertProducts } from './engine.mjs';
import { migrateDatabase, prepareDataDir, removeDataDir } from './forager.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median } from './statistics.mjs';

const BATCH = 100;
const DOMAINS = 20;
const KINDS = ['new', 'unchanged', 'changed'];

export async function benchProducts({ productCount, productTurns }, say) {
  const dataDir = await prepareDataDir();
  try {
    const server = await openServer(dataDir);
    try {
      const admin = await connect(server.url);
      await admin.query('create database products');
      await admin.end();
      const url = databaseUrl(server, 'products');
      await migrateDatabase(url);
      const [client, db] = [await connect(url), await openByUrl(url)];
      try {
        return {
          count: productCount,
          batch: BATCH,
          kinds: await measure(client, db, productCount, productTurns, say),
        };
      } finally {
        await db.close();
        await client.end();
      }
    } finally {
      await server.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

async function measure(client, db, count, turns, say) {
  await prepareTables(client);
  const writers = [
    { name: 'forager', write: (batch) => inTransaction(db, (tx) => upsertProducts(tx, batch)) },
    { name: 'by hand', write: (batch) => writeByHand(client, batch) },
  ];
  const rates = new Map(
    writers.map(({ name }) => [name, Object.fromEntries(KINDS.map((kind) => [kind, []]))]),
  );
  for (let turn = -1; turn < turns; turn += 1) {
    say(`products: ${turn === -1 ? 'warming up' : `turn ${turn + 1} of ${turns}`}`);
    for (const { name, write } of inTurns(writers, turn + 1)) {
      for (const kind of KINDS) {
        // The first turn only fills caches; its products are others.
        const batches = makeBatches(count, turn, kind);
        const startedAt = performance.now();
        for (const batch of batches) await write(batch);
        const seconds = (performance.now() - startedAt) / 1000;
        if (turn >= 0) rates.get(name)[kind].push(count / seconds);
      }
      await client.query('vacuum analyze');
    }
  }
  return KINDS.map((kind) => {
    const [ours, theirs] = writers.map(({ name }) => rates.get(name)[kind]);
    const ratios = ours.map((rate, index) => rate / theirs[index]);
    return {
      ...{ kind, perSecond: median(ours), peerPerSecond: median(theirs) },
      ...{ ratio: median(ratios), ratios },
    };
  });
}

async function prepareTables(client) {
  await client.query(
    `insert into domains (domain, parent_domain, base_url, source)
     select 'shop-' || n || '.example', 'shop-' || n || '.example', 'https://shop-' || n || '.example', 'seed'
       from generate_series(1, ${DOMAINS}) as n`,
  );
  await client.query(
    `create table by_hand (
       id bigint generated always as identity primary key, domain_id bigint not null, url text not null,
       url_hash bytea not null, name text, description text, price numeric(20, 6), currency text, availability text,
       brand text, category text, sku text, content_hash bytea, seen_at timestamptz,
       unique (domain_id, url_hash))`,
  );
}

function makeBatches(count, turn, kind) {
  const batches = [];
  for (let at = 0; at < count; at += BATCH) {
    batches.push(
      Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => makeProduct(turn, at + n, kind)),
    );
  }
  return batches;
}

const DESCRIPTION = 'It does what it is for, quietly, for years. '.repeat(12);

function makeProduct(turn, number, kind) {
  const url = `https://shop.example/turn${turn}/product-${number}`;
  const cents = 100 + ((number * 37) % 90_000) + (kind === 'changed' ? 5 : 0);
  return {
    ...{ domainId: 1 + (number % DOMAINS), url, urlHash: createHash('sha256').update(url).digest() },
    content: {
      ...{ name: `Product ${number} of the shop`, description: DESCRIPTION, currency: 'EUR', brand: 'Acme' },
      price: String(cents / 100),
      ...{
        availability: 'in_stock',
        categoryPath: ['Kitchen', 'Kettles'],
        sku: `SKU-${number}`,
        rating: '4.5',
      },
      ...{ imageUrls: [`https://shop.example/images/${number}.jpg`], language: 'en' },
    },
    notes: {
      ...{ parserName: 'generic', parserVersion: '1', verdict: 'valid', problems: [] },
      fields: {
        name: { source: 'json-ld', confidence: 0.95, evidence: `Product ${number} of the shop` },
        price: { source: 'json-ld', confidence: 0.95, evidence: String(cents / 100) },
      },
    },
    ...{ source: 'generic', taskId: null, seenAt: new Date() },
  };
}

async function writeByHand(client, batch) {
  const column = (pick) => batch.map(pick);
  await client.query('begin');
  await client.query(
    `insert into by_hand (domain_id, url, url_hash, name, description, price, currency, availability, brand, category,
                          sku, content_hash, seen_at)
     select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::numeric[], $7::text[],
                          $8::text[], $9::text[], $10::text[], $11::text[], $12::bytea[], $13::timestamptz[])
     on conflict (domain_id, url_hash) do update
        set name = excluded.name, description = excluded.description, price = excluded.price,
            currency = excluded.currency, availability = excluded.availability, brand = excluded.brand,
            category = excluded.category, sku = excluded.sku, content_hash = excluded.content_hash,
            seen_at = excluded.seen_at`,
    [
      ...[
        column((p) => p.domainId),
        column((p) => p.url),
        column((p) => p.urlHash),
        column((p) => p.content.name),
      ],
      ...[
        column((p) => p.content.description),
        column((p) => p.content.price),
        column((p) => p.content.currency),
      ],
      ...[column((p) => p.content.availability), column((p) => p.content.brand)],
      ...[column((p) => p.content.categoryPath.join(' > ')), column((p) => p.content.sku)],
      ...[column((p) => p.urlHash), column((p) => p.seenAt)],
    ],
  );
  await client.query('commit');
}
