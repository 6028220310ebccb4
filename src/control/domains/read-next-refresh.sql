-- When the first known page of domain $1 is to be read again, and how many are due already (counted up to ten
-- thousand).
-- Relies on: urls_refresh, urls_missing.
select least((select min(next_crawl_at) from urls
               where domain_id = $1 and state = 'fetched' and miss_count = 0),
             (select min(next_crawl_at) from urls
               where domain_id = $1 and state = 'fetched' and miss_count > 0)) as "firstPageDueAt",
       (select count(*)::int
          from (select from urls
                 where domain_id = $1 and state = 'fetched' and miss_count = 0 and next_crawl_at <= forager_now()
                union all
                select from urls
                 where domain_id = $1 and state = 'fetched' and miss_count > 0 and next_crawl_at <= forager_now()
                 limit 10000) as due) as "pagesDue"
