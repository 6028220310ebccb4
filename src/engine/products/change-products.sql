-- Products that are others than they were: what they are now, a point in the history of those whose offer has changed,
-- and news of it for whoever wants to be told. What no parser has noted stays as it was.
-- Relies on: the primary keys of products and price_points. They are locked already.
with seen as (
  select v.*
    from jsonb_to_recordset($1::jsonb) as v
        (id bigint, changes jsonb, before jsonb, is_offer boolean,
         domain_id bigint, url text, url_hash bytea, name text, description text, price numeric,
         price_high numeric, list_price numeric, currency text, availability text, rating numeric, review_count integer,
         brand text, category_path text[], category text, sku text, gtin text, mpn text, image_urls text[],
         variants jsonb, language text, data jsonb, content_hash bytea, source text, task_id bigint,
         seen_at timestamptz, parser_name text, parser_version text, verdict text, problems jsonb, fields jsonb)
), changed as (
  update products p
     set url = v.url, name = v.name, description = v.description, price = v.price, price_high = v.price_high,
         list_price = v.list_price, currency = v.currency, availability = v.availability, rating = v.rating,
         review_count = v.review_count, brand = v.brand, category_path = v.category_path, category = v.category,
         sku = v.sku, gtin = v.gtin, mpn = v.mpn, image_urls = v.image_urls, variants = v.variants,
         language = v.language, data = v.data, content_hash = v.content_hash, source = v.source, task_id = v.task_id,
         parser_name = coalesce(v.parser_name, p.parser_name),
         parser_version = coalesce(v.parser_version, p.parser_version), verdict = coalesce(v.verdict, p.verdict),
         problems = coalesce(v.problems, p.problems), fields = coalesce(v.fields, p.fields),
         missing_since = null, updated_at = forager_now(),
         last_seen_at = greatest(p.last_seen_at, least(v.seen_at, forager_now()))
    from seen v
   where p.id = v.id
  returning p.*, v.changes, v.before, v.is_offer
), next_points as (
  insert into price_points (product_id, at, price, currency, availability, source, task_id)
  select c.id,
         greatest(c.last_seen_at,
                  (select max(q.at) from price_points q where q.product_id = c.id) + interval '1 microsecond'),
         c.price, c.currency, c.availability, c.source, c.task_id
    from changed c
   where c.is_offer
), events as (
  insert into product_events (product_id, domain_id, at, changes, source, task_id)
  select c.id, c.domain_id, forager_now(), c.changes, c.source, c.task_id from changed c order by c.id
)
select count(tell_webhooks('product.changed', forager_now(), jsonb_build_object(
         'productId', c.id, 'url', c.url, 'domain', (select d.domain from domains d where d.id = c.domain_id),
         'name', c.name, 'price', trim_scale(c.price)::text, 'currency', c.currency, 'availability', c.availability,
         'before', c.before, 'changes', c.changes, 'source', c.source, 'taskId', c.task_id,
         'seenAt', to_jsonb(c.last_seen_at))))
  from changed c
