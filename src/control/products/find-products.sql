-- Products in one of their orders, here by number, the highest first: behind key $1 of product $2 (null: from the first
-- on), not behind key $3 of product $4 (null: to the last), at most $5 after the first $17. Of domain $6, with a price from $7 to $8, in
-- currency $9, with one of the availabilities $10, a rating of at least $11, of brand $12, in category $13 or below it,
-- with images or without as $14 says, changed since $15, lost or not as $16 says; null means: any. The rows are a walk
-- along one index in the order of the list, or few that another index names (product-walks.ts puts in which). Nothing
-- is drawn into them from outside: the planner has no other way, whatever it thinks of the others.
-- Relies on: products_domain, products_brand, products_category, products_updated, products_price, products_rating, products_missing.
select /* place */ l.id::text as place, l.id
  from (
    /* rows: */
    select *, lower(brand) as brand_key
      from products
     where /* walk */ ($1::bigint is null or (/* key */ id, id) < ($1, $2::bigint))
       and ($3::bigint is null or (/* key */ id, id) >= ($3, $4::bigint))
     order by /* walk */ /* key */ id desc, id desc
     limit 1000000000000
    /* :rows */
  ) as l
 where ($1::bigint is null or (/* key */ l.id, l.id) < ($1, $2::bigint))
   and ($3::bigint is null or (/* key */ l.id, l.id) >= ($3, $4::bigint))
   and /* key */ l.id is not null
   and ($6::bigint is null or l.domain_id = $6)
   and ($7::numeric is null or l.price >= $7)
   and ($8::numeric is null or l.price <= $8)
   and ($9::text is null or l.currency = $9)
   and ($10::text[] is null or l.availability = any($10))
   and ($11::numeric is null or l.rating >= $11)
   and ($12::text is null or lower(l.brand) = lower($12))
   and ($13::text is null or lower(l.category) = lower($13) or starts_with(lower(l.category), lower($13) || ' > '))
   and ($14::boolean is null or (cardinality(l.image_urls) > 0) = $14)
   and ($15::timestamptz is null or l.updated_at >= $15)
   and ($16::boolean is null or (l.missing_since is not null) = $16)
 order by /* walk l. */ /* key */ l.id desc, l.id desc
 limit $5 offset $17
