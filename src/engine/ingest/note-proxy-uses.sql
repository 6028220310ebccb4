-- What came through proxies $1, which are locked: $2 requests well and $3 not, $4 not since the last that was well,
-- $5 milliseconds on average, the last failure $6. A proxy is out after $7 failures in a row, for $8 seconds, at most
-- $9, doubled with each time in a row. What a person switched off stays off.
-- Relies on: the primary key of proxies.
update proxies p
   set is_active = s.is_active,
       disabled_by = case when s.is_active then null when s.is_off then p.disabled_by else 'failures' end,
       disabled_at = case when s.is_active then null else coalesce(p.disabled_at, forager_now()) end,
       retry_at = case
         when s.is_active or s.is_off then null
         when s.is_outage then forager_now() + least($9::float8, $8::float8 * 2 ^ least(p.outages_count, 30)) * interval '1 second'
         else p.retry_at end,
       outages_count = case when s.is_outage then least(p.outages_count + 1, 30000)
                            when s.is_active and s.successes > 0 then 0 else p.outages_count end,
       failure_count = s.in_a_row,
       success_count = p.success_count + s.successes,
       failures_total = p.failures_total + s.failures,
       last_used_at = forager_now(),
       last_success_at = case when s.successes > 0 then forager_now() else p.last_success_at end,
       last_failure_at = case when s.failures > 0 then forager_now() else p.last_failure_at end,
       last_error = coalesce(s.error, p.last_error),
       avg_response_time_ms = case when s.mean_ms is null then p.avg_response_time_ms
         else round(coalesce(p.avg_response_time_ms, s.mean_ms) * 0.8 ^ s.successes
                    + s.mean_ms * (1 - 0.8 ^ s.successes)) end,
       updated_at = forager_now()
  from (select j.*,
               not j.is_active and not j.is_off and j.recent > 0
                 and (j.was_active or j.successes > 0 or j.retry_at <= forager_now()) as is_outage
          from (select u.*,
                       case when u.is_off then false when u.in_a_row >= $7::int then false
                            when u.successes > 0 then true else u.was_active end as is_active
                  from (select v.*, q.is_active as was_active, q.retry_at,
                               q.disabled_by is not null and q.disabled_by <> 'failures' as is_off,
                               case when v.successes > 0 then v.recent else q.failure_count + v.recent end as in_a_row
                          from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[])
                                 as v (id, successes, failures, recent, mean_ms, error)
                          join proxies q on q.id = v.id) as u) as j) as s
 where p.id = s.id
