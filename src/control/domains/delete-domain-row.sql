-- Removes domain $1, unless there is still something of it in the large tables; robots.txt, sitemaps, shapes, runs
-- and moves go with it. The row is locked already: nobody adds URLs meanwhile.
-- Relies on: the primary keys of domains, urls and pages; crawl_log_url.
delete from domains
 where id = $1 and not exists (select from urls where domain_id = $1)
   and not exists (select from pages where domain_id = $1)
   and not exists (select from crawl_log where domain_id = $1)
returning id
