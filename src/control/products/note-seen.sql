-- Product $1 was seen at $2, and is as it was.
-- Relies on: the primary key of products. It is locked already.
update products
   set last_seen_at = greatest(last_seen_at, least($2::timestamptz, forager_now())), source = $3, task_id = $4
 where id = $1
