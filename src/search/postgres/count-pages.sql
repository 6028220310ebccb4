-- How many pages fit the query $1, and not $2 (null: whatever), counted up to $3. Filter: domain $4.
-- Relies on: page_texts_search.
select count(*)::int as count
  from (select
          from page_texts p
         where p.search @@ $1::tsquery
           and ($2::tsquery is null or not p.search @@ $2)
           and ($4::bigint is null or p.domain_id = $4)
         limit $3) as matching
