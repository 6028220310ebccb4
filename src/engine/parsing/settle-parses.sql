-- What became of tasks in lot $2 of parser $1. A retry waits 1, 2, 4, 8 … minutes. Where the page may not be kept
-- (is_dropped), the task forgets where its body is.
-- Relies on: the primary key of crawl_tasks.
update crawl_tasks t
   set status = v.status::task_status,
       moved_by = $1,
       move_reason = v.reason,
       error_message = v.error,
       retry_count = t.retry_count + case when v.is_retried then 1 else 0 end,
       scheduled_at = case when v.is_retried then forager_now() + (2 ^ t.retry_count) * interval '1 minute'
                           else t.scheduled_at end,
       segment_id = case when v.is_dropped then null else t.segment_id end,
       segment_offset = case when v.is_dropped then null else t.segment_offset end,
       segment_length = case when v.is_dropped then null else t.segment_length end
  from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::boolean[])
       as v (id, status, reason, error, is_retried, is_dropped)
 where t.id = v.id and t.status = 'parsing' and t.locked_by = $1 and t.lock_version = $2
returning t.id, t.status
