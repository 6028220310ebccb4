-- Products that fit the query $1, and not $2 (null: whatever), by a column of theirs, those without a value last. After
-- the value $3 (null: there was none) and the number $4 (null: from the beginning), at most $5; otherwise as
-- rank-products.sql. What is in braces is put in from a list of our own: the column, its type, > or <, asc or desc.
-- Relies on: products_search, products_price, products_rating, products_updated.
with valued as materialized (
  select p.id, p.{column} as value
    from products p
   where p.{column} is not null
     and ($4::bigint is null or (p.{column}, p.id) {beyond} ($3::{type}, $4::bigint))
     and p.search @@ $1::tsquery
     and ($2::tsquery is null or not p.search @@ $2)
     and ($7::bigint is null or p.domain_id = $7)
     and ($8::numeric is null or p.price >= $8)
     and ($9::numeric is null or p.price <= $9)
     and ($10::text is null or p.currency = $10)
     and ($11::text[] is null or p.availability = any($11))
     and ($12::numeric is null or p.rating >= $12)
     and ($13::text is null or lower(p.brand) = lower($13))
     and ($14::text is null or lower(p.category) = lower($14) or starts_with(lower(p.category), lower($14) || ' > '))
     and ($15::boolean is null or (p.missing_since is not null) = $15)
     -- the whole order is that of the index
   order by p.{column} {order}, p.id {order}
   limit case when $4::bigint is not null and $3::text is null then 0 else $5::int end
), unvalued as (
  select p.id, null::{type} as value
    from (select q.*
            from products q
           where (select count(*) from valued) < $5 and q.{column} is null
             and q.search @@ $1::tsquery
             and ($2::tsquery is null or not q.search @@ $2)
             and ($7::bigint is null or q.domain_id = $7)
             and ($8::numeric is null or q.price >= $8)
             and ($9::numeric is null or q.price <= $9)
             and ($10::text is null or q.currency = $10)
             and ($11::text[] is null or q.availability = any($11))
             and ($12::numeric is null or q.rating >= $12)
             and ($13::text is null or lower(q.brand) = lower($13))
             and ($14::text is null or lower(q.category) = lower($14) or starts_with(lower(q.category), lower($14) || ' > '))
             and ($15::boolean is null or (q.missing_since is not null) = $15)
           limit $6) as p
   where $4::bigint is null or $3::text is not null or p.id {beyond} $4
)
select h.id, 0 as score, {text} as key
  from (select * from valued union all select * from unvalued) as h
 order by h.value {order} nulls last, h.id {order}
 limit $5
