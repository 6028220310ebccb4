-- Pages that fit the query $1, and not $2 (null: whatever), the best first. After the score $3 and the number $4 (from
-- the beginning: null), at most $5. The first $6 in the order they lie in the table are ranked. Filter: domain $7.
-- Relies on: page_texts_search.
with matching as materialized (
  select p.page_id, p.search, sum(pg_column_size(p.search)) over (rows unbounded preceding) as bytes_so_far
    from page_texts p
   where p.search @@ $1::tsquery
     and ($2::tsquery is null or not p.search @@ $2)
     and ($7::bigint is null or p.domain_id = $7)
   limit $6
), ranked as (
  -- As in rank-products.sql: every word for itself, and of long texts not all.
  select m.page_id as id,
         case when m.bytes_so_far > 16777216 then 0
              else ts_rank('{0.1, 0.2, 0.4, 1.0}', m.search, $1::tsquery || $1, 1)::double precision
         end as score
    from matching m
)
select r.id, r.score, r.score::text as key
  from ranked r
 where $3::double precision is null or (r.score, r.id) < ($3::double precision, $4::bigint)
 order by r.score desc, r.id desc
 limit $5
