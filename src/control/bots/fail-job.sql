-- Bot $2, whose name is $3, could not do job $1 under lock $4: it goes to state $5 with $6 retries used, for reason $7;
-- what the fetch brought ($8 to $10), the kind of error ($11), and the answer $13 for whoever hands in the same ($12)
-- again; $14 ms after it was pulled. Nothing is counted for a bot that was revoked: then nothing is to be done either.
-- Relies on: the primary keys of crawl_tasks, bots and bot_hours. The job is locked already.
with moved as (
  update crawl_tasks
     set status = $5::task_status, retry_count = $6::int, moved_by = 'bot:' || $3, move_reason = $7, error_message = $7,
         scheduled_at = case when $5::text = 'pending' then forager_now() else scheduled_at end,
         http_status = $8, response_time_ms = $9, final_url = $10, fetched_at = forager_now()
   where id = $1 and status = 'locked' and lock_version = $4::bigint
  returning id, domain_id, url
), logged as (
  insert into error_logs (task_id, domain_id, url, category, code, message, http_status, attempt, worker_id, occurred_at)
  select id, domain_id, url, $11, 'bot-failed', $7, $8,
         case when $5::text = 'pending' then $6::int else $6::int + 1 end, 'bot:' || $3, forager_now()
    from moved
), noted as (
  insert into bot_submissions (lock_token, task_id, bot_id, digest, answer, at)
  select $4::bigint, id, $2, $12, $13, forager_now() from moved
), counted as (
  update bots
     set failures_count = failures_count + 1, work_ms = work_ms + $14::bigint, last_submit_at = forager_now()
   where id = $2 and revoked_at is null and exists (select from moved)
  returning id
), counted_hour as (
  insert into bot_hours as h (bot_id, hour, failures_count, work_ms)
  select id, date_trunc('hour', forager_now()), 1, $14::bigint from counted
  on conflict (bot_id, hour) do update
    set failures_count = h.failures_count + 1, work_ms = h.work_ms + excluded.work_ms
)
select id from counted
