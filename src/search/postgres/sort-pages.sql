-- Pages that fit the query $1, and not $2 (null: whatever), by the time they were read. After the time $3 and the number
-- $4 (from the beginning: null), at most $5. Filter: domain $6. What is in braces is put in from a list of our own.
-- Relies on: page_texts_search, page_texts_crawled.
select p.page_id as id, 0 as score,
       to_char(p.crawled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as key
  from page_texts p
 where p.search @@ $1::tsquery
   and ($2::tsquery is null or not p.search @@ $2)
   and ($4::bigint is null or (p.crawled_at, p.page_id) {beyond} ($3::timestamptz, $4::bigint))
   and ($6::bigint is null or p.domain_id = $6)
 order by p.crawled_at {order}, p.page_id {order}
 limit $5
