-- Tasks $1 that others are to wait for, with their domains, which are locked before they are.
-- Relies on: the primary keys of crawl_tasks and domains.
select t.id, t.url, t.url_hash as hash, d.domain
  from crawl_tasks t
  join domains d on d.id = t.domain_id
 where t.id = any($1::bigint[])
