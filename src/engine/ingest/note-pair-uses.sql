-- What came through proxies $2 to domains $1, whose rows are locked: $3 requests, $4 of them well and $5 not, $6 not
-- since the last that was, $7 milliseconds on average, the last failure $8. A pair is out after $9 failures in a
-- row, for $10 seconds, at most $11, doubled with each time in a row. $12 of the last failures others have had as well:
-- they are counted, but do not put it out. What a person switched off stays off.
-- Relies on: the primary keys of domain_proxies and proxy_usage.
with used as (
  select v.*, m.disabled_by is not null and m.disabled_by <> 'failures' as is_off,
         coalesce(m.is_active, true) as was_active, coalesce(m.outages_count, 0) as outages,
         m.disabled_by, m.disabled_at, m.retry_at,
         least(b.before + v.shared, greatest(b.before, $9::int - 1)) + v.recent - v.shared as in_a_row
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $12::int[])
           as v (domain_id, proxy_id, uses, successes, failures, recent, mean_ms, error, shared)
    left join domain_proxies m on m.domain_id = v.domain_id and m.proxy_id = v.proxy_id
   cross join lateral (select case when v.successes > 0 then 0 else coalesce(m.failure_count, 0) end as before) as b
   where exists (select from proxies p where p.id = v.proxy_id)
), judged as (
  select u.*,
         case when u.is_off then false when u.in_a_row >= $9::int then false when u.successes > 0 then true
              else u.was_active end as is_active
    from used u
), settled as (
  select j.*,
         -- It has just gone out, or was tried again and failed: what was under way meanwhile changes nothing.
         not j.is_active and not j.is_off and j.recent > 0
           and (j.was_active or j.successes > 0 or j.retry_at <= forager_now()) as is_outage
    from judged j
), noted as (
  insert into domain_proxies as m
    (domain_id, proxy_id, is_assigned, is_active, disabled_by, disabled_at, retry_at, outages_count, failure_count,
     success_count, failures_total, last_used_at, last_success_at, last_failure_at, last_error, avg_response_time_ms,
     created_at, updated_at)
  select s.domain_id, s.proxy_id, false, s.is_active,
         case when s.is_active then null when s.is_off then s.disabled_by else 'failures' end,
         case when s.is_active then null else coalesce(s.disabled_at, forager_now()) end,
         case when s.is_active or s.is_off then null
              when s.is_outage then forager_now() + least($11::float8, $10::float8 * 2 ^ least(s.outages, 30)) * interval '1 second'
              else s.retry_at end,
         case when s.is_outage then least(s.outages + 1, 30000) when s.is_active and s.successes > 0 then 0
              else s.outages end,
         s.in_a_row, s.successes, s.failures, forager_now(),
         case when s.successes > 0 then forager_now() end, case when s.failures > 0 then forager_now() end,
         s.error, s.mean_ms, forager_now(), forager_now()
    from settled s
   order by s.domain_id, s.proxy_id
  on conflict (domain_id, proxy_id) do update
    set is_active = excluded.is_active,
        disabled_by = excluded.disabled_by,
        disabled_at = excluded.disabled_at,
        retry_at = excluded.retry_at,
        outages_count = excluded.outages_count,
        failure_count = excluded.failure_count,
        success_count = m.success_count + excluded.success_count,
        failures_total = m.failures_total + excluded.failures_total,
        last_used_at = excluded.last_used_at,
        last_success_at = coalesce(excluded.last_success_at, m.last_success_at),
        last_failure_at = coalesce(excluded.last_failure_at, m.last_failure_at),
        last_error = coalesce(excluded.last_error, m.last_error),
        -- each request weighs a fifth, those of a batch together accordingly
        avg_response_time_ms = case when excluded.avg_response_time_ms is null then m.avg_response_time_ms
          else round(coalesce(m.avg_response_time_ms, excluded.avg_response_time_ms) * 0.8 ^ excluded.success_count
                     + excluded.avg_response_time_ms * (1 - 0.8 ^ excluded.success_count)) end,
        updated_at = forager_now()
)
insert into proxy_usage as g (proxy_id, domain_id, minute, requests_count, failures_count)
select u.proxy_id, u.domain_id, date_trunc('minute', forager_now()), u.uses, u.failures from used u
 order by u.proxy_id, u.domain_id
on conflict (proxy_id, minute, domain_id) do update
  set requests_count = g.requests_count + excluded.requests_count,
      failures_count = g.failures_count + excluded.failures_count
