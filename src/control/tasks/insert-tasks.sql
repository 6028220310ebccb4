-- New tasks with the numbers $1, for batch $15 in state $16 for reason $17, ordered by $18. Their domains are locked.
-- Relies on: crawl_tasks_one_live.
insert into crawl_tasks (id, domain_id, url, url_hash, priority, scheduled_at, max_retries, executor, policy_id,
                         recrawl_count, parent_task_id, is_waiting, follow_depth, follow_limit, batch_id, status,
                         move_reason, created_by, moved_by, created_at, updated_at, wanted)
       overriding system value
select v.id, v.domain_id, v.url, v.url_hash, v.priority, greatest(v.scheduled_at, forager_now()), v.max_retries,
       v.executor, v.policy_id, v.recrawl_count, v.parent_task_id, v.is_waiting, v.follow_depth, v.follow_limit,
       $15::bigint, $16::task_status, $17, $18, $18, forager_now(), forager_now(), v.wanted
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[], $5::smallint[], $6::timestamptz[], $7::smallint[],
              $8::text[], $9::bigint[], $10::int[], $11::bigint[], $12::boolean[], $13::smallint[], $14::smallint[],
              $19::text[])
       as v (id, domain_id, url, url_hash, priority, scheduled_at, max_retries, executor, policy_id, recrawl_count,
             parent_task_id, is_waiting, follow_depth, follow_limit, wanted)
 order by v.id
