-- The product at URL $2 of domain $1, locked: who else has seen it waits. Whether something newer than $3 is known.
-- Relies on: the unique index of products.
select p.id, p.name, trim_scale(p.price)::text as price, p.currency, p.availability, p.data, p.content_hash,
       p.last_seen_at > least($3::timestamptz, forager_now()) as is_newer_known
  from products p
 where p.domain_id = $1 and p.url_hash = $2
   for update
