-- The domains of run $1, those with most pages first, at most $2; ones that need attention before others.
-- Relies on: the primary keys of crawl_run_domains and domains.
select d.domain, d.status::text as status, m.pages_count as pages, m.fetches_count as fetches,
       m.errors_count as errors, m.bytes_count as bytes, d.pages_discovered as discovered,
       d.block_reason as reason, d.block_reason_code as code,
       case when d.next_crawl_after > forager_now() and d.block_reason_code is not null
            then d.next_crawl_after end as "restingUntil"
  from crawl_run_domains m
  join domains d on d.id = m.domain_id
 where m.run_id = $1
 order by (d.block_reason_code is not null) desc, m.pages_count desc, d.domain
 limit $2
