/**
 * Search over generated products: the program's own functions, beside the statement that one would write by hand in
 * their place (`to_tsvector(…) @@ … order by ts_rank(…) desc`, with an index on the same expression), in the same
 * database, in turns. Page 50 is reached by 49 cursors here, by an offset there.
 */
import { readFileSync } from 'node:fs';
import { inTurns } from './claim.mjs';
import { noteNewWords, openByUrl, openServer, searchProducts, suggest } from './engine.mjs';
import { migrateDatabase, prepareDataDir, removeDataDir } from './forager.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median, percentile } from './statistics.mjs';

const LIMIT = 20;
const DEEP_PAGE = 50;
const SHOPS = 50;
const THINGS = ['shirt', 'lamp', 'kettle', 'tent', 'camera', 'wallet', 'drill', 'scarf', 'mirror', 'helmet'];
const PRODUCT = "to_tsvector('english', coalesce(name, '') || ' ' || coalesce(description, ''))";

/** Each made anew for every turn, so that nothing is answered from memory of the same question. */
const QUESTIONS = [
  { name: 'one word', typed: (i) => THINGS[i % THINGS.length] },
  { name: 'three words', typed: (i) => `wireless steel ${THINGS[i % THINGS.length]}` },
  { name: 'rare word', typed: (i) => `w${1000 + i}` },
  { name: 'typo', typed: (i) => ['wireles', 'portabel', 'headphnes', 'umbrela', 'keybaord'][i % 5] },
  {
    name: 'filter + sort',
    typed: (i) => THINGS[i % THINGS.length],
    order: { sort: 'price', order: 'asc' },
    filters: { brand: 'Norvik', minPrice: '20', currency: 'USD' },
  },
];

/** `--quick`: does everything work? */
const QUICK = { searchProducts: 2000, searchTurns: 5 };

export async function benchSearch(given, say) {
  const { searchProducts: products, searchTurns: turns } = given.quick ? { ...given, ...QUICK } : given;
  const dataDir = await prepareDataDir();
  try {
    const server = await openServer(dataDir);
    try {
      const admin = await connect(server.url);
      await admin.query('create database search');
      await admin.end();
      const url = databaseUrl(server, 'search');
      await migrateDatabase(url);
      const [client, db] = [await connect(url), await openByUrl(url)];
      try {
        await fill(client, db, url, products, say);
        return { isQuick: given.quick, products, turns, ...(await measure(client, db, turns, say)) };
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

async function fill(client, db, url, products, say) {
  say(`search: making ${products} products`);
  await client.query(
    `insert into domains (domain, parent_domain, base_url)
     select name, name, 'https://' || name || '/' from (select 'shop' || i || '.bench' from generate_series(0, $1::int - 1) i) as d (name)`,
    [SHOPS],
  );
  // An index is made of what is there in a fraction of the time that entry by entry takes.
  const { rows: indexes } = await client.query(
    `select indexname as name, indexdef as definition from pg_indexes i
      where tablename = 'products'
        and not exists (select from pg_constraint where conindid = format('%I', i.indexname)::regclass)`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const population = readFileSync(new URL('./search-population.sql', import.meta.url), 'utf8');
  const half = Math.ceil(products / 2);
  const other = await connect(url);
  await Promise.all([
    client.query(population, [1, half]),
    other.query(population, [half + 1, products]).finally(() => other.end()),
  ]);
  say('search: indexes');
  await client.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await client.query(definition);
  say('search: the index of the statement by hand, and the words');
  await client.query(`create index by_hand on products using gin (${PRODUCT})`);
  while ((await noteNewWords(db, new Date('2100-01-01'))).isMore);
  await client.query('vacuum analyze');
}

async function measure(client, db, turns, say) {
  const rows = [];
  for (const question of QUESTIONS) {
    say(`search: ${question.name}`);
    const isComparable = question.name !== 'typo' && question.name !== 'filter + sort';
    const first = await time(turns, {
      forager: (i) => ask(db, question, i),
      ...(isComparable ? { 'by hand': (i) => byHand(client, question.typed(i), 0) } : {}),
    });
    rows.push({ name: question.name, page: 1, ...first });
    const deep = question.name === 'one word' || question.name === 'filter + sort';
    if (!deep) continue;
    const places = new Map();
    for (let i = 0; i < THINGS.length; i += 1) places.set(i, await walk(db, question, i));
    const last = await time(turns, {
      forager: (i) => ask(db, question, i, places.get(i % THINGS.length)),
      ...(isComparable
        ? { 'by hand': (i) => byHand(client, question.typed(i), (DEEP_PAGE - 1) * LIMIT) }
        : {}),
    });
    rows.push({ name: question.name, page: DEEP_PAGE, ...last });
  }
  const typed = ['a', 'no', 'kit', 'acme', 'norvik red', 'solace bl'];
  const suggestions = await time(turns, { forager: (i) => suggest(db, typed[i % typed.length], 10) });
  rows.push({ name: 'suggestions', page: 1, ...suggestions });
  return { rows };
}

function ask(db, { typed, order = { sort: 'relevance', order: 'desc' }, filters = {} }, i, from) {
  return searchProducts({ db }, typed(i), { ...order, limit: LIMIT, filters, withFacets: true }, from);
}

/** Where page 50 begins; where there are not so many, where the last page does. */
async function walk(db, question, i) {
  let from;
  for (let page = 1; page < DEEP_PAGE; page += 1) {
    const { next } = await ask(db, question, i, from);
    if (next === undefined) return from;
    from = next;
  }
  return from;
}

function byHand(client, typed, offset) {
  return client.query(
    `select id, name, ts_rank(${PRODUCT}, q) as score from products, websearch_to_tsquery('english', $1) as q
      where ${PRODUCT} @@ q order by score desc, id desc limit ${LIMIT} offset $2`,
    [typed, offset],
  );
}

/** In turns; by hand less often, where it takes long. */
async function time(turns, askers) {
  const names = Object.keys(askers);
  const taken = Object.fromEntries(names.map((name) => [name, []]));
  for (let i = -3; i < turns; i += 1) {
    for (const name of inTurns(names, i + 3)) {
      if (name === 'by hand' && i >= Math.max(3, turns / 20)) continue;
      const startedAt = performance.now();
      await askers[name](i + 3);
      if (i >= 0) taken[name].push(performance.now() - startedAt);
    }
  }
  const of = (name) => taken[name] && { p50: median(taken[name]), p99: percentile(taken[name], 99) };
  const [forager, peer] = [of('forager'), of('by hand')];
  return { forager, ...(peer === undefined ? {} : { peer, ratio: peer.p50 / forager.p50 }) };
}
