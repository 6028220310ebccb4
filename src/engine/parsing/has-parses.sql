-- Whether there is anything for a parser: a body that waits, or one whose parser is gone.
-- Relies on: crawl_tasks_to_parse, crawl_tasks_locks.
select exists (select from crawl_tasks t where t.status = 'queued_parse' and t.scheduled_at <= forager_now())
    or exists (select from crawl_tasks t where t.status = 'parsing' and t.locked_until <= forager_now()) as has_work
