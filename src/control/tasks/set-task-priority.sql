-- Task $1 gets priority $2.
-- Relies on: the primary key of crawl_tasks. It is locked already.
update crawl_tasks set priority = $2 where id = $1
