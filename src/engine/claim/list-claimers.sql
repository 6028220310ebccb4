-- Who holds leases now, where it runs if it has registered, and how long it has been silent. Goes from one holder
-- to the next: a fleet has thousands of leases for each of them.
-- Relies on: domains_claimed, the primary key of workers.
with recursive holders as (
  (select claimed_by from domains where claimed_by is not null order by claimed_by limit 1)
  union all
  select (select d.claimed_by from domains d where d.claimed_by > h.claimed_by order by d.claimed_by limit 1)
    from holders h where h.claimed_by is not null
)
select h.claimed_by, w.host, w.pid, w.process_mark,
       extract(epoch from forager_now() - w.heartbeat_at)::float8 as silent_seconds
  from holders h
  left join workers w on w.id = h.claimed_by
 where h.claimed_by is not null
