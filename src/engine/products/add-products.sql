-- Products that were not known, each with the first point of its history. Answers those that were added: the others have
-- become known meanwhile, and whoever adds one at the same time is waited for.
-- Relies on: the unique index of products, the primary key of domains.
with added as (
  insert into products (domain_id, url, url_hash, name, description, price, price_high, list_price, currency,
                        availability, rating, review_count, brand, category_path, category, sku, gtin, mpn, image_urls,
                        variants, language, data, content_hash, source, task_id, parser_name, parser_version, verdict,
                        problems, fields, first_seen_at, last_seen_at, updated_at, search_language)
  select v.domain_id, v.url, v.url_hash, v.name, v.description, v.price, v.price_high, v.list_price, v.currency,
         v.availability, v.rating, v.review_count, v.brand, v.category_path, v.category, v.sku, v.gtin, v.mpn,
         v.image_urls, v.variants, v.language, v.data, v.content_hash, v.source, v.task_id, v.parser_name,
         v.parser_version, v.verdict, coalesce(v.problems, '[]'), coalesce(v.fields, '{}'),
         least(v.seen_at, forager_now()), least(v.seen_at, forager_now()), forager_now(),
         (select d.language from domains d where d.id = v.domain_id)
    from jsonb_to_recordset($1::jsonb) as v
        (domain_id bigint, url text, url_hash bytea, name text, description text, price numeric,
         price_high numeric, list_price numeric, currency text, availability text, rating numeric, review_count integer,
         brand text, category_path text[], category text, sku text, gtin text, mpn text, image_urls text[],
         variants jsonb, language text, data jsonb, content_hash bytea, source text, task_id bigint,
         seen_at timestamptz, parser_name text, parser_version text, verdict text, problems jsonb, fields jsonb)
   order by v.domain_id, v.url_hash
  on conflict (domain_id, url_hash) do nothing
  returning *
), first_points as (
  insert into price_points (product_id, at, price, currency, availability, source, task_id)
  select a.id, a.first_seen_at, a.price, a.currency, a.availability, a.source, a.task_id from added a
)
select id, domain_id as "domainId", url_hash as "urlHash" from added
