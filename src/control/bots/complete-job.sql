-- Bot $2, whose name is $3, has done job $1 under lock $4: what the fetch brought ($5 to $8), where the page is kept
-- ($9 to $11), and the answer $13 for whoever hands in the same ($12) again; $14 ms after it was pulled. Nothing is
-- counted for a bot that was revoked: then nothing is to be done either.
-- Relies on: the primary keys of crawl_tasks, bots and bot_hours. The job is locked already.
with moved as (
  update crawl_tasks
     set status = 'completed', moved_by = 'bot:' || $3, move_reason = null, error_message = null,
         http_status = $5, response_time_ms = $6, final_url = $7, fetched_at = $8,
         segment_id = coalesce($9, segment_id), segment_offset = case when $9::int is null then segment_offset else $10 end,
         segment_length = case when $9::int is null then segment_length else $11 end
   where id = $1 and status = 'locked' and lock_version = $4::bigint
  returning id
), noted as (
  insert into bot_submissions (lock_token, task_id, bot_id, digest, answer, at)
  select $4::bigint, id, $2, $12, $13, forager_now() from moved
), counted as (
  update bots
     set success_count = success_count + 1, work_ms = work_ms + $14::bigint, last_submit_at = forager_now()
   where id = $2 and revoked_at is null and exists (select from moved)
  returning id
), counted_hour as (
  insert into bot_hours as h (bot_id, hour, success_count, work_ms)
  select id, date_trunc('hour', forager_now()), 1, $14::bigint from counted
  on conflict (bot_id, hour) do update
    set success_count = h.success_count + 1, work_ms = h.work_ms + excluded.work_ms
)
select id from counted
