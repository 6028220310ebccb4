-- Removes domain $1, unless there is still something of it in the large tables; robots.txt, sitemaps, shapes, runs,
-- moves, its pool of proxies and its queue for bots go with it. What it still counted for in runs (readings of pages that were read again, and whatever the
-- log no longer had) is taken off their sums. The row is locked already: nobody adds URLs meanwhile.
-- Relies on: the primary keys of domains, urls, pages and crawl_runs; crawl_log_url, crawl_run_domains_domain.
with gone as (
  delete from domains
   where id = $1 and not exists (select from urls where domain_id = $1)
     and not exists (select from pages where domain_id = $1)
     and not exists (select from crawl_log where domain_id = $1)
  returning id
), uncounted as (
  update crawl_runs r
     set pages_count = greatest(r.pages_count - m.pages_count, 0),
         fetches_count = greatest(r.fetches_count - m.fetches_count, 0),
         errors_count = greatest(r.errors_count - m.errors_count, 0),
         bytes_count = greatest(r.bytes_count - m.bytes_count, 0)
    from gone g join crawl_run_domains m on m.domain_id = g.id
   where r.id = m.run_id and r.id > 0
)
select id from gone
