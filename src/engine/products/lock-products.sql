-- What is known of the products at URLs $2 of domains $1, locked: who else has seen them waits. Whether something newer
-- than $3 is known.
-- Relies on: the unique index of products.
select p.id, p.domain_id as "domainId", p.url_hash as "urlHash", p.last_seen_at as "lastSeenAt",
       p.last_seen_at > least(v.seen_at, forager_now()) as "isNewerKnown",
       p.missing_since is not null as "isMissing", p.name, p.description, trim_scale(p.price)::text as price, trim_scale(p.price_high)::text as "priceHigh",
       trim_scale(p.list_price)::text as "listPrice", p.currency, p.availability, trim_scale(p.rating)::text as rating,
       p.review_count as "reviewCount", p.brand, p.category_path as "categoryPath", p.sku, p.gtin, p.mpn,
       p.image_urls as "imageUrls", p.variants, p.language, p.data
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) as v (domain_id, url_hash, seen_at)
  join products p on p.domain_id = v.domain_id and p.url_hash = v.url_hash
 order by p.domain_id, p.url_hash
   for update of p
