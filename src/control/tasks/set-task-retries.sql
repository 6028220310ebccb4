-- Task $1 may be tried again $2 times.
-- Relies on: the primary key of crawl_tasks. It is locked already.
update crawl_tasks set max_retries = $2 where id = $1
