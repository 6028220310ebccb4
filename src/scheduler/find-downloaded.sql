-- Up to $1 tasks whose body has been kept for a minute while nobody took them any further; none of domains $2.
-- Relies on: crawl_tasks_downloaded.
select id, domain_id as "domainId" from crawl_tasks
 where status = 'downloaded' and updated_at <= forager_now() - interval '1 minute'
   and domain_id <> all($2::bigint[])
 order by updated_at
 limit $1
