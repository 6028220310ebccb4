-- Products in one of their orders, here by number, the highest first: behind key $1 of product $2 (null: from the first
-- on), not behind key $3 of product $4 (null: to the last), at most $5. Of domain $6, with a price from $7 to $8 in
-- currency $9, an availability of $10, a rating of at least $11, of brand $12, in category $13 or below it, with images
-- or without as $14 says, changed since $15, lost or not as $16 says; null means: any. The innermost part is a walk along
-- one index in the order of the list (product-walks.ts puts in which). Nothing is drawn into it from outside its limit,
-- which is none: the planner has no other way, whatever it thinks of the others.
-- Relies on: products_domain, products_brand, products_updated, products_price, products_rating, the primary keys of
-- products, domains and price_points.
select /* told */ p.id::text as "place",
       p.id, p.url, d.domain, p.name, trim_scale(p.price)::text as price, trim_scale(p.price_high)::text as "priceHigh",
       trim_scale(p.list_price)::text as "listPrice", p.currency, p.availability, p.rating::float8 as rating,
       p.review_count as "reviewCount", p.brand, p.category, p.sku, p.gtin, p.mpn,
       p.image_urls[1] as "imageUrl", cardinality(p.image_urls) as images, jsonb_array_length(p.variants) as variants,
       p.language, p.verdict, p.parser_name as parser, p.parser_version as "parserVersion",
       case when h.price is null then null
            else json_build_object('price', trim_scale(h.price)::text, 'currency', h.currency,
                                   'availability', h.availability) end as before,
       p.missing_since as "missingSince", p.source, p.task_id as "taskId", p.first_seen_at as "firstSeenAt",
       p.last_seen_at as "lastSeenAt", p.updated_at as "updatedAt"
  from (
    select l.*
      from (
        select *
          from products
         where /* walk */ ($1::bigint is null or (/* key */ id, id) < ($1, $2::bigint))
           and ($3::bigint is null or (/* key */ id, id) >= ($3, $4::bigint))
         order by /* walk */ /* key */ id desc, id desc
         limit 1000000000000
      ) as l
     where ($6::bigint is null or l.domain_id = $6)
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
     order by /* walk l. */ /* key l. */ l.id desc, l.id desc
     limit $5
  ) as p
  join domains d on d.id = p.domain_id
  left join lateral (
    select h.price, h.currency, h.availability from price_points h where h.product_id = p.id order by h.at desc offset 1 limit 1
  ) as h on true
 order by /* key p. */ p.id desc, p.id desc
