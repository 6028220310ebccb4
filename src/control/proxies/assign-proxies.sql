-- Proxies $2 are in the pool of domain $1, with priority $3 (as before, or 5: null) and $4 requests an hour (where $5 is
-- false: as before). One that comes back after it was taken out is on again, with nothing held against it, unless it was
-- out for its failures.
-- Relies on: the primary keys of domain_proxies and proxies.
insert into domain_proxies as dp (domain_id, proxy_id, is_assigned, priority, max_requests_per_hour, created_at, updated_at)
select $1, p.id, true, coalesce($3::int, 5), $4::int, forager_now(), forager_now()
  from proxies p
 where p.id = any ($2::bigint[])
 order by p.id
on conflict (domain_id, proxy_id) do update
   set is_assigned = true,
       priority = coalesce($3, case when dp.is_assigned then dp.priority else 5 end),
       max_requests_per_hour = case when $5::boolean then $4 else dp.max_requests_per_hour end,
       is_active = dp.is_active or (not dp.is_assigned and dp.disabled_by <> 'failures'),
       disabled_by = case when dp.is_assigned or dp.disabled_by = 'failures' then dp.disabled_by end,
       disabled_at = case when dp.is_assigned or dp.disabled_by = 'failures' then dp.disabled_at end,
       failure_count = case when dp.is_assigned or dp.disabled_by = 'failures' then dp.failure_count else 0 end,
       outages_count = case when dp.is_assigned or dp.disabled_by = 'failures' then dp.outages_count else 0 end,
       updated_at = forager_now()
