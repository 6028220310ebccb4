-- Tasks $1 that failed for good or expired are pending again, with all their retries, by $2. They are locked already. One
-- whose URL has another task that is not over is left alone.
-- Relies on: the primary key of crawl_tasks, crawl_tasks_one_live.
update crawl_tasks t
   set status = 'pending', retry_count = 0, scheduled_at = forager_now(), error_message = null,
       moved_by = $2, move_reason = 'requeued from the dead letters'
 where t.id = any($1::bigint[]) and t.status in ('failed', 'expired')
   and not exists (select from crawl_tasks x
                    where x.domain_id = t.domain_id and x.url_hash = t.url_hash and x.id <> t.id
                      and x.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing',
                                       'paused', 'locked'))
returning t.id
