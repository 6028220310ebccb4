-- Batch number $1, or the newest of the name $2. It is neither paused nor resumed before the end of the transaction.
-- Relies on: the primary key of crawl_batches, crawl_batches_name.
select id, name, paused_at is not null as "isPaused"
  from crawl_batches
 where id = coalesce($1::bigint, (select max(id) from crawl_batches where name = $2::text))
   for share
