-- Workers that have not been heard of for two minutes and did not say that they stop. One in whose place another was
-- started on its machine is not missed, and after a day none is coming back.
-- Relies on: workers_heartbeat.
select id, host, kind, floor(extract(epoch from forager_now() - heartbeat_at) / 60)::int as "silentMinutes"
  from workers w
 where state <> 'stopped' and heartbeat_at <= forager_now() - interval '2 minutes'
   and heartbeat_at > forager_now() - interval '1 day'
   and not exists (select from workers s
                    where s.host = w.host and s.kind = w.kind and s.state <> 'stopped'
                      and s.started_at > w.heartbeat_at
                      and s.heartbeat_at > forager_now() - interval '2 minutes')
 order by heartbeat_at desc
 limit 100
