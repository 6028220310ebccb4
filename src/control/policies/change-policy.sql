-- Policy $1 is changed as $2, a JSON object, says. Another frequency counts from the end of the last run, where that
-- went well; after one that failed the wait that was set stands.
-- Relies on: the primary key of crawl_policies.
update crawl_policies
   set frequency_hours = coalesce(($2::jsonb->>'frequencyHours')::float8, frequency_hours),
       priority = coalesce(($2->>'priority')::smallint, priority),
       max_retries = coalesce(($2->>'maxRetries')::smallint, max_retries),
       retry_backoff_minutes = coalesce(($2->>'retryBackoffMinutes')::int, retry_backoff_minutes),
       timeout_minutes = coalesce(($2->>'timeoutMinutes')::int, timeout_minutes),
       executor = coalesce($2->>'executor', executor),
       wanted = coalesce($2->>'wanted', wanted),
       follow_depth = coalesce(($2->>'followDepth')::smallint, follow_depth),
       follow_limit = coalesce(($2->>'followLimit')::smallint, follow_limit),
       next_run_at = case
         when $2 ? 'nextRunAt' then coalesce(($2->>'nextRunAt')::timestamptz, forager_now())
         when $2 ? 'frequencyHours' and failure_count = 0 and last_success_at is not null
           then last_success_at + ($2->>'frequencyHours')::float8 * interval '1 hour'
         else next_run_at end,
       updated_at = forager_now()
 where id = $1
returning id
