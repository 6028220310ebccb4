-- The next $5 points of the history of prices after moment $2 of product $1, of domain $3, since $4; null means: any. Read
-- portion by portion, so that no transaction is held open while the rows are dealt with. The innermost part is a walk
-- along one index (export-products.ts puts in that of domains), and nothing is drawn into it from outside its limit,
-- which is none.
-- Relies on: products_domain, the primary keys of price_points, products and domains.
select l.id as "productId", l.url, d.domain, l.name, h.at, trim_scale(h.price)::text as price, h.currency,
       h.availability, h.source, to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText"
  from (
    select id, url, name, domain_id from products where /* walk */ id >= $1 order by /* walk */ id limit 1000000000000
  ) as l
 cross join lateral (
    select h.*
      from price_points h
     where h.product_id = l.id and (l.id > $1 or h.at > $2::timestamptz) and ($4::timestamptz is null or h.at >= $4)
     order by h.at
  ) as h
  join domains d on d.id = l.domain_id
 where ($3::bigint is null or l.domain_id = $3)
 order by /* walk l. */ l.id, h.at
 limit $5
