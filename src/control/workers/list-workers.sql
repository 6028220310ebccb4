-- Every worker that is not stopped, and those that stopped within a day: what each said last, and what it holds
-- by the leases that count. Silent for two minutes without having stopped means dead.
-- Relies on: domains_claimed; the table of workers is small.
select w.id, w.kind, w.duties, w.run_id as run, w.host, w.pid, w.program_version as "programVersion",
       case when w.state <> 'stopped' and w.heartbeat_at <= forager_now() - interval '2 minutes' then 'dead'
            else w.state end as state,
       coalesce(held.domains, 0) as "domainsHeld", w.domains_count as "domainsSaid",
       w.in_flight_count as "inFlight", w.wanted_count as wanted,
       w.pages_count as pages, w.fetches_count as fetches, w.errors_count as errors, w.bytes_count as bytes,
       w.pages_count / nullif(extract(epoch from
         case when w.state = 'stopped' then coalesce(w.stopped_at, w.heartbeat_at)
              when w.heartbeat_at <= forager_now() - interval '2 minutes' then w.heartbeat_at
              else forager_now() end - w.started_at), 0)::float8 as "pagesPerSecond",
       extract(epoch from forager_now() - w.heartbeat_at)::float8 as "heartbeatAgeSeconds",
       w.heartbeat_at as "heartbeatAt", w.started_at as "startedAt", w.stopped_at as "stoppedAt"
  from workers w
  left join (select claimed_by, count(*)::int as domains
               from domains
              where claimed_by is not null and claim_expires_at > forager_now()
              group by claimed_by) as held on held.claimed_by = w.id
 where w.state <> 'stopped' or coalesce(w.stopped_at, w.heartbeat_at) > forager_now() - interval '1 day'
 order by (w.state = 'stopped'), (w.heartbeat_at <= forager_now() - interval '2 minutes'),
          case when w.state = 'stopped' then w.stopped_at end desc nulls last, w.started_at, w.id
