-- Task $1, which is locked by way of its domain, is due now if it waits for its time. A row where it did. (One that was
-- made, or brought forward, while this transaction waited for the domain is due, though it seems to lie ahead.)
-- Relies on: the primary key of crawl_tasks.
update crawl_tasks
   set scheduled_at = forager_now()
 where id = $1 and status = 'pending' and scheduled_at > greatest(forager_now(), updated_at)
returning id
