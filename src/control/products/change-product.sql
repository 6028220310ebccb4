-- Product $1 has changed: what it is now, a point in its history where price, currency or availability are others
-- ($11), and whoever wants to be told is told what it was ($12). Of two points of one moment the one that came later
-- is the later.
-- Relies on: the primary keys of products and price_points. It is locked already.
with changed as (
  update products p
     set url = $2, name = $3, price = $4::numeric, currency = $5, availability = $6, data = $7::jsonb,
         content_hash = $8, source = $9, task_id = $10, updated_at = forager_now(),
         last_seen_at = greatest(p.last_seen_at, least($13::timestamptz, forager_now()))
   where p.id = $1
  returning *
), next_point as (
  insert into price_points (product_id, at, price, currency, availability, source, task_id)
  select c.id,
         greatest(c.last_seen_at, (select max(p.at) from price_points p where p.product_id = c.id) + interval '1 microsecond'),
         c.price, c.currency, c.availability, c.source, c.task_id
    from changed c
   where $11
)
select tell_webhooks('product.changed', forager_now(), jsonb_build_object(
         'productId', c.id, 'url', c.url, 'domain', (select d.domain from domains d where d.id = c.domain_id),
         'name', c.name, 'price', trim_scale(c.price)::text, 'currency', c.currency, 'availability', c.availability,
         'before', $12::jsonb, 'source', c.source, 'taskId', c.task_id, 'seenAt', to_jsonb(c.last_seen_at)))
  from changed c
