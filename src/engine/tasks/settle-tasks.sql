-- What became of tasks in the hands of worker $1. One that a person has paused or cancelled meanwhile, or that is in
-- other hands by now, stays as it is. A retry waits 1, 2, 4, 8 … minutes. The body of a page found unchanged is the one
-- that the page has; for others no page is looked for.
-- (A worker may have thousands in its hands of which the planner knows nothing yet, and taking them for few it would
-- hold each of them against each of ours. So ours are looked up one by one: by their number, since `is not distinct
-- from` cannot be looked up in an index, and first, since a limit stays where it is.)
-- Relies on: the primary keys of crawl_tasks and pages.
with ended as materialized (
  select v.*
    from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::smallint[],
                $9::int[], $10::timestamptz[], $11::text[], $12::int[], $13::bigint[], $14::int[], $15::boolean[],
                $16::bigint[], $17::bytea[], $18::bigint[])
         as v (id, version, status, reason, error, is_retried, http_status, duration_ms, fetched_at, final_url,
               segment_id, segment_offset, segment_length, is_unchanged, domain_id, url_hash, proxy_id),
         lateral (select from crawl_tasks h
                   where h.id = v.id and h.status is not distinct from 'crawling' and h.locked_by = $1
                     and h.lock_version = v.version
                   limit 1
                     for update) as held
)
update crawl_tasks t
   set status = v.status::task_status,
       moved_by = $1,
       move_reason = v.reason,
       error_message = v.error,
       -- of the current phase: a parser begins anew
       retry_count = case when v.status = 'queued_parse' then 0
                          else t.retry_count + case when v.is_retried then 1 else 0 end end,
       scheduled_at = case when v.is_retried then forager_now() + (2 ^ t.retry_count) * interval '1 minute'
                           else t.scheduled_at end,
       http_status = v.http_status,
       response_time_ms = v.duration_ms,
       fetched_at = v.fetched_at,
       final_url = v.final_url,
       proxy_id = v.proxy_id,
       segment_id = case when v.is_unchanged then p.segment_id else coalesce(v.segment_id, t.segment_id) end,
       segment_offset = case when v.is_unchanged then p.segment_offset
                             when v.segment_id is null then t.segment_offset else v.segment_offset end,
       segment_length = case when v.is_unchanged then p.segment_length
                             when v.segment_id is null then t.segment_length else v.segment_length end
  from ended v
  left join pages p on p.domain_id = case when v.is_unchanged then v.domain_id end and p.url_hash = v.url_hash
 where t.id = v.id
returning t.id, t.domain_id, t.status, t.priority
