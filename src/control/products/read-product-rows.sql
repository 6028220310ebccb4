-- Products $1 as they are told in lists, in that order.
-- Relies on: the primary keys of products, domains and price_points.
select p.id, p.url, d.domain, p.name, trim_scale(p.price)::text as price, trim_scale(p.price_high)::text as "priceHigh",
       trim_scale(p.list_price)::text as "listPrice", p.currency, p.availability, p.rating::float8 as rating,
       p.review_count as "reviewCount", p.brand, p.category, p.sku, p.gtin, p.mpn, p.image_urls[1] as "imageUrl",
       cardinality(p.image_urls) as "imageCount", jsonb_array_length(p.variants) as "variantCount", p.language,
       p.verdict, p.parser_name as parser, p.parser_version as "parserVersion",
       case when h.at is not null then
         jsonb_build_object('price', trim_scale(h.price)::text, 'currency', h.currency, 'availability', h.availability)
       end as before,
       p.missing_since as "missingSince", p.source, p.task_id as "taskId", p.first_seen_at as "firstSeenAt",
       p.last_seen_at as "lastSeenAt", p.updated_at as "updatedAt"
  from unnest($1::bigint[]) with ordinality as w (id, place)
  join products p on p.id = w.id
  join domains d on d.id = p.domain_id
  left join lateral (
    select h.at, h.price, h.currency, h.availability
      from price_points h where h.product_id = p.id order by h.at desc offset 1 limit 1
  ) as h on true
 order by w.place
