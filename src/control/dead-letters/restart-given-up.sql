-- Tasks $1 that failed for good or expired are pending again, with all their retries, by $2. One whose URL has another
-- task that is not over is left alone.
-- Relies on: the primary key of crawl_tasks, crawl_tasks_one_live.
with held as materialized (
  select id, domain_id, url_hash from crawl_tasks
   where id = any($1::bigint[]) and status in ('failed', 'expired')
   order by id
     for update
)
update crawl_tasks t
   set status = 'pending', retry_count = 0, scheduled_at = forager_now(), error_message = null,
       moved_by = $2, move_reason = 'requeued from the dead letters'
  from held h
 where t.id = h.id
   and not exists (select from crawl_tasks x
                    where x.domain_id = h.domain_id and x.url_hash = h.url_hash and x.id <> h.id
                      and x.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing',
                                       'paused', 'locked'))
returning t.id
