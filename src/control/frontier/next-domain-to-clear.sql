-- The first domain after $1 (where $2 is not null: that one only) that has URLs never read and found before $4: due
-- ones, waiting ones, or both ($3 is due, waiting or all).
-- Relies on: urls_frontier, urls_retry.
select min(domain_id) as "domainId"
  from ((select domain_id from urls
          where $3::text <> 'waiting' and state = 'never_crawled' and retry_at is null
            and domain_id > $1::bigint and ($2::bigint is null or domain_id = $2) and discovered_at <= $4::timestamptz
          order by domain_id limit 1)
        union all
        (select domain_id from urls
          where $3 <> 'due' and state = 'never_crawled' and retry_at is not null
            and domain_id > $1 and ($2::bigint is null or domain_id = $2) and discovered_at <= $4
          order by domain_id limit 1)) as found
