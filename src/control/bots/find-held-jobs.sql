-- Up to $2 jobs that the bot named $1 holds.
-- Relies on: crawl_tasks_locked_by.
select id from crawl_tasks where locked_by = $1 and status = 'locked' order by id limit $2
