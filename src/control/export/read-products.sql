-- The next $4 products after number $1, of domain $2, changed since $3; null means: any. Read portion by portion, so that
-- no transaction is held open while the rows are dealt with. The innermost part is a walk along one index
-- (export-products.ts puts in that of domains), and nothing is drawn into it from outside its limit, which is none.
-- Relies on: products_domain, the primary keys of products and domains.
select p.id, p.url, d.domain, p.name, p.description, trim_scale(p.price)::text as price,
       trim_scale(p.price_high)::text as "priceHigh", trim_scale(p.list_price)::text as "listPrice", p.currency,
       p.availability, p.rating::float8 as rating, p.review_count as "reviewCount", p.brand, p.category, p.sku, p.gtin,
       p.mpn, p.image_urls as "imageUrls", p.variants, p.language, p.data, p.verdict, p.parser_name as parser,
       p.parser_version as "parserVersion", p.source, p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt",
       p.updated_at as "updatedAt", p.missing_since as "missingSince"
  from (
    select l.*
      from (
        select * from products where /* walk */ id > $1 order by /* walk */ id limit 1000000000000
      ) as l
     where ($2::bigint is null or l.domain_id = $2) and ($3::timestamptz is null or l.updated_at >= $3)
     order by /* walk l. */ l.id
     limit $4
  ) as p
  join domains d on d.id = p.domain_id
 order by p.id
