-- What worker $2 has of the tasks of domain $1, and has not worked on, is queued again. The domain's row must be locked
-- already.
-- Relies on: crawl_tasks_in_hand.
update crawl_tasks set status = 'queued', moved_by = $2, move_reason = 'given back'
 where domain_id = $1 and status = 'crawling' and locked_by = $2
