-- Batch $1 is paused, or goes on ($2); a row when there is such a batch.
-- Relies on: the primary key of crawl_batches.
update crawl_batches
   set paused_at = case when $2 then coalesce(paused_at, forager_now()) end
 where id = $1
returning id
