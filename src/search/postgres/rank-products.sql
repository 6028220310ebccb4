-- Products that fit the query $1, and not $2 (null: whatever), the best first: those whose name, brand, codes or
-- category fit, then those that fit by their description too. After the score $3 and the number $4 (from the beginning:
-- null), at most $5. Of each kind, the first $6 in the order they lie in the table are ranked. Filters, each null or a
-- value: domain $7, price from $8 to $9, currency $10, one of the availabilities $11, rating $12, brand $13, category
-- $14 or below it, lost or not as $15 says.
-- Relies on: products_search_name, products_search.
with named as materialized (
  select p.id, p.search_name
    from products p
   where p.search_name @@ $1::tsquery
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
   limit $6
), best as materialized (
  -- Of words that are joined by "and", every place of one is compared with every place of every other; joined by "or"
  -- each is looked at once. So the query is ranked as "itself or itself": what a text costs grows with its length only.
  select r.id, r.score
    from (select n.id, 1 + ts_rank('{0.1, 0.2, 0.4, 1.0}', n.search_name, $1::tsquery || $1, 1)::double precision as score
            from named n) as r
   where $3::double precision is null or (r.score, r.id) < ($3::double precision, $4::bigint)
   order by r.score desc, r.id desc
   limit $5
), described as materialized (
  select p.id, p.search, sum(pg_column_size(p.search)) over (rows unbounded preceding) as bytes_so_far
    from products p
   where (select count(*) from best) < $5
     and p.search @@ $1::tsquery and not p.search_name @@ $1::tsquery
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
   limit $6
), others as (
  select r.id, r.score
    -- Long texts take long to be read: those beyond the first 16 MB are found, and come last.
    from (select d.id, case when d.bytes_so_far > 16777216 then 0
                            else ts_rank('{0.1, 0.2, 0.4, 1.0}', d.search, $1::tsquery || $1, 1)::double precision
                       end as score
            from described d) as r
   where $3::double precision is null or (r.score, r.id) < ($3::double precision, $4::bigint)
   order by r.score desc, r.id desc
   limit $5
)
select h.id, h.score, h.score::text as key
  from (select * from best union all select * from others) as h
 order by h.score desc, h.id desc
 limit $5
