-- What a refresh of domains $1 begins with: their sitemaps are read again, also those that were not there last
-- time, and one page that was there last time is due now. Its answer tells a page that is gone from a site that is
-- broken; a redirect would tell nothing.
-- Relies on: the primary key of domain_sitemaps, urls_refresh, the primary key of urls.
with sitemaps as (
  update domain_sitemaps set state = 'due' where domain_id = any($1::bigint[]) and state <> 'due'
)
update urls u
   set next_crawl_at = forager_now()
  from unnest($1::bigint[]) as v (domain_id),
       lateral (select c.url_hash from urls c
                 where c.domain_id = v.domain_id and c.state = 'fetched' and c.miss_count = 0
                   and c.content_hash is not null
                 order by c.next_crawl_at limit 1) as canary
 where u.domain_id = v.domain_id and u.url_hash = canary.url_hash and u.next_crawl_at > forager_now()
