-- What domains $1 have seen of proxies, and their pools, become those of domains $2 they are merged into: counters are
-- added, what either of them has assigned is assigned. What is out for one of them is out; where a person switched
-- it off, it waits for one.
-- Relies on: the primary key of domain_proxies.
with pairs as (
  select m.to_id, p.proxy_id, bool_or(p.is_assigned) as is_assigned, bool_and(p.is_active) as is_active,
         coalesce(min(p.disabled_by) filter (where not p.is_active and p.disabled_by <> 'failures'),
                  min(p.disabled_by) filter (where not p.is_active)) as disabled_by,
         max(p.disabled_at) filter (where not p.is_active) as disabled_at,
         max(p.retry_at) as retry_at, max(p.outages_count) as outages_count, min(p.priority) as priority,
         min(p.max_requests_per_hour) as max_requests_per_hour, max(p.failure_count) as failure_count,
         sum(p.success_count) as success_count, sum(p.failures_total) as failures_total,
         max(p.last_used_at) as last_used_at, max(p.last_success_at) as last_success_at,
         max(p.last_failure_at) as last_failure_at,
         (array_agg(p.last_error order by p.last_failure_at desc nulls last)
            filter (where p.last_error is not null))[1] as last_error,
         (sum(p.avg_response_time_ms::bigint * greatest(p.success_count, 1))
           / nullif(sum(greatest(p.success_count, 1)) filter (where p.avg_response_time_ms is not null), 0))::int
           as avg_response_time_ms,
         min(p.created_at) as created_at
    from (select distinct to_id, id from unnest($1::bigint[], $2::bigint[]) as g (from_id, to_id)
           cross join lateral (values (from_id), (to_id)) as both_sides (id)) as m (to_id, id)
    join domain_proxies p on p.domain_id = m.id
   group by m.to_id, p.proxy_id
)
insert into domain_proxies
       (domain_id, proxy_id, is_assigned, is_active, disabled_by, disabled_at, retry_at, outages_count, priority,
        max_requests_per_hour, failure_count, success_count, failures_total, last_used_at, last_success_at,
        last_failure_at, last_error, avg_response_time_ms, created_at, updated_at)
select to_id, proxy_id, is_assigned, is_active, disabled_by, disabled_at,
       case when disabled_by = 'failures' then retry_at end, outages_count, priority, max_requests_per_hour,
       failure_count, success_count, failures_total, last_used_at, last_success_at, last_failure_at, last_error,
       avg_response_time_ms, created_at, forager_now()
  from pairs
on conflict (domain_id, proxy_id) do update
   set is_assigned = excluded.is_assigned, is_active = excluded.is_active, disabled_by = excluded.disabled_by,
       disabled_at = excluded.disabled_at, retry_at = excluded.retry_at, outages_count = excluded.outages_count,
       priority = excluded.priority, max_requests_per_hour = excluded.max_requests_per_hour,
       failure_count = excluded.failure_count, success_count = excluded.success_count,
       failures_total = excluded.failures_total, last_used_at = excluded.last_used_at,
       last_success_at = excluded.last_success_at, last_failure_at = excluded.last_failure_at,
       last_error = excluded.last_error, avg_response_time_ms = excluded.avg_response_time_ms,
       created_at = excluded.created_at, updated_at = excluded.updated_at
