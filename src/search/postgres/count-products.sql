-- How many products fit the query $1, and not $2 (null: whatever), counted up to $3; and, if $4, the most frequent $5
-- brands, categories, domains, availabilities and currencies of those. Filters as in rank-products.sql, from $6 on.
-- Relies on: products_search, the primary key of domains.
with matching as materialized (
  select p.brand, p.category, p.domain_id, p.availability, p.currency
    from products p
   where p.search @@ $1::tsquery
     and ($2::tsquery is null or not p.search @@ $2)
     and ($6::bigint is null or p.domain_id = $6)
     and ($7::numeric is null or p.price >= $7)
     and ($8::numeric is null or p.price <= $8)
     and ($9::text is null or p.currency = $9)
     and ($10::text[] is null or p.availability = any($10))
     and ($11::numeric is null or p.rating >= $11)
     and ($12::text is null or lower(p.brand) = lower($12))
     and ($13::text is null or lower(p.category) = lower($13) or starts_with(lower(p.category), lower($13) || ' > '))
     and ($14::boolean is null or (p.missing_since is not null) = $14)
   limit $3
), counted as (
  select 'brand' as facet, brand as value, count(*)::int as count from matching where $4 group by brand
  union all
  select 'category', category, count(*)::int from matching where $4 group by category
  union all
  select 'domain', domain_id::text, count(*)::int from matching where $4 group by domain_id
  union all
  select 'availability', availability, count(*)::int from matching where $4 group by availability
  union all
  select 'currency', currency, count(*)::int from matching where $4 group by currency
), best as (
  select facet, value, count, row_number() over (partition by facet order by count desc, value collate "C") as place
    from counted where value is not null
)
select null as facet, null as value, (select count(*)::int from matching) as count, 0 as place
union all
select b.facet, coalesce(d.domain, b.value), b.count, b.place
  from best b left join domains d on d.id = case when b.facet = 'domain' then b.value::bigint end
 where b.place <= $5
 order by facet nulls first, place
