-- Of tasks $2, those that worker $1 still has in its hands: nobody has paused, cancelled or taken them away.
-- Relies on: the primary key of crawl_tasks.
select id from crawl_tasks where id = any($2::bigint[]) and status = 'crawling' and locked_by = $1
