/**
 * What is forgotten of proxies and bots, and removed with a domain, is found by its index: a portion touches as much as
 * goes, however much stays.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const src = path.resolve(import.meta.dirname, '..', '..', 'src');
const statement = (file: string): string => readFileSync(path.join(src, file), 'utf8');

const PORTION = 100;
const TABLES =
  /proxy_usage|bot_submissions|bot_hours|domain_proxies|products|price_points|product_events|parse_hours|image_/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select format('d%s.example', n), 'example', 'https://example' from generate_series(1, 200) n;
     insert into proxies (proxy_url, proxy_port) select 'p.example', n from generate_series(1, 200) n;
     insert into domain_proxies (domain_id, proxy_id, is_assigned, last_used_at)
     select d.id, p.id, false, now() from domains d, proxies p;
     insert into proxy_usage (proxy_id, domain_id, minute)
     select 1 + n % 200, 1 + n % 199, date_trunc('minute', now()) - (n % 60) * interval '1 minute'
       from generate_series(1, 100000) n on conflict do nothing;
     insert into proxy_usage (proxy_id, domain_id, minute)
     select n, 1, now() - interval '5 h' from generate_series(1, 200) n;
     insert into bots (bot_id) select 'b' || n from generate_series(1, 200) n;
     insert into bot_submissions (lock_token, task_id, bot_id, digest, answer, at)
     select n, n, 1, '\\x00', '{}', case when n <= 500 then now() - interval '8 days' else now() end
       from generate_series(1, 50000) n;
     insert into bot_hours (bot_id, hour)
     select b.id, date_trunc('hour', now()) - n * interval '4 h' from bots b, generate_series(0, 190) n;
     insert into products (domain_id, url, url_hash, content_hash, source)
     select 1 + n % 200, 'https://example/' || n, int4send(n), '\\x00', 'bot' from generate_series(1, 40000) n;
     insert into price_points (product_id, at, source)
     select id, now() - n * interval '1 h', 'bot' from products, generate_series(1, 3) n;
     insert into product_events (product_id, domain_id, at, changes, source)
     select id, domain_id, now() - (id % 100) * interval '1 day', '{}', 'bot' from products;
     insert into parse_hours (domain_id, parser_name, parser_version, hour)
     select d.id, 'generic', '1', date_trunc('hour', now()) - n * interval '12 h' from domains d, generate_series(1, 190) n;
     insert into image_urls (domain_id, url_hash, url, fetched_at)
     select 1 + n % 200, int4send(n), 'https://example/' || n, now() from generate_series(1, 40000) n;
     insert into image_provenance (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, position, kind,
                                   discovery_type, first_seen_at, last_seen_at)
     select 1 + n % 200, int4send(n), int4send(n), 'example', 'https://example/' || n, 0, 'page', 'discovery', now(), now()
       from generate_series(1, 40000) n`,
  );
}, 240_000);
afterAll(() => database.drop());

const hot = [
  ['forgetting minutes of proxies', 'scheduler/forget-proxy-minutes.sql', [2, PORTION]],
  ['forgetting what bots handed in', 'scheduler/forget-submissions.sql', [7, PORTION]],
  ['forgetting hours of bots', 'scheduler/forget-bot-hours.sql', [30, PORTION]],
  ['looking at pairs, from the middle', 'scheduler/forget-pairs.sql', [100, 100, 30, PORTION]],
  ['forgetting changes of products', 'scheduler/forget-product-events.sql', [90, PORTION]],
  ['forgetting hours of parsers', 'scheduler/forget-parse-hours.sql', [90, PORTION]],
  ['removing traces of a domain', 'control/domains/delete-portion-traces.sql', [1, PORTION]],
  ['removing products of a domain', 'control/domains/delete-portion-products.sql', [1, PORTION]],
  ['removing the use of proxies of a domain', 'control/domains/delete-portion-usage.sql', [1, PORTION]],
] as const;

describe.each(['without statistics', 'with statistics'])('%s', (title) => {
  beforeAll(async () => {
    if (title === 'with statistics') await database.execute('analyze');
  });

  it.each(hot)('%s touches what it needs', async (_name, file, values) => {
    const { scanned, buffers, text } = await explain(database, statement(file), values);
    expect(
      scanned.filter((name) => TABLES.test(name)),
      text,
    ).toEqual([]);
    expect(buffers, text).toBeLessThanOrEqual(200 + 20 * PORTION);
  });
});
