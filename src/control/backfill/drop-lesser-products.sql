-- Before products of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a page
-- would have two, the one that was seen last stays, remembers when the product was first seen, and has the prices,
-- changes and images of all.
-- Relies on: the unique index of products on domain and page, the primary keys of products and price_points, product_events_product, image_provenance_product.
with coming as (
  select m.to_id, p.id, p.domain_id, p.url_hash, p.last_seen_at, p.first_seen_at
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join products p on p.domain_id = m.from_id and (m.host is null or m.host = split_part(p.url, '/', 3))
), alike as (
  select * from coming
  union all
  select p.domain_id, p.id, p.domain_id, p.url_hash, p.last_seen_at, p.first_seen_at
    from (select distinct to_id, url_hash from coming) as c
    join products p on p.domain_id = c.to_id and p.url_hash = c.url_hash
), ranked as (
  select a.id, first_value(a.id) over best as kept_id,
         min(a.first_seen_at) over (partition by a.to_id, a.url_hash) as first_seen_at
    from alike a
  window best as (partition by a.to_id, a.url_hash
                  order by a.last_seen_at desc, (a.domain_id = a.to_id) desc, a.id)
), lesser as (
  select * from ranked where id <> kept_id
), prices as (
  insert into price_points (product_id, at, price, currency, availability, source, task_id)
  select l.kept_id, h.at, h.price, h.currency, h.availability, h.source, h.task_id
    from lesser l join price_points h on h.product_id = l.id
   order by l.kept_id, h.at
  on conflict (product_id, at) do nothing
), events as (
  update product_events e set product_id = l.kept_id from lesser l where e.product_id = l.id
), images as (
  update image_provenance s set product_id = l.kept_id from lesser l where s.product_id = l.id
), dropped as (
  delete from products p using lesser l where p.id = l.id
)
update products p
   set first_seen_at = l.first_seen_at
  from (select distinct kept_id, first_seen_at from lesser) as l
 where p.id = l.kept_id
