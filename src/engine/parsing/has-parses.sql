-- Whether there is anything for a parser: a body that waits, or one whose parser is gone. (In the order of the indexes:
-- the look ends at the first.)
-- Relies on: crawl_tasks_to_parse, crawl_tasks_locks.
select (select true from crawl_tasks t where t.status = 'queued_parse' and t.scheduled_at <= forager_now()
         order by t.priority, t.scheduled_at, t.id limit 1) is not null
    or (select true from crawl_tasks t where t.status = 'parsing' and t.locked_until <= forager_now() and t.lost_count < 4
         order by t.locked_until limit 1) is not null as has_work
