-- Of the tasks $1 that others are to wait for, those that are not completed. None of them is completed before the end
-- of this transaction.
-- Relies on: the primary key of crawl_tasks.
select id from crawl_tasks where id = any($1::bigint[]) and status <> 'completed' order by id for no key update
