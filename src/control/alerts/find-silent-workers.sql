-- Workers that have not been heard of for two minutes and did not say that they stop. After a day they are not
-- coming back.
-- Relies on: workers_heartbeat.
select id, host, kind, floor(extract(epoch from forager_now() - heartbeat_at) / 60)::int as "silentMinutes"
  from workers
 where state <> 'stopped' and heartbeat_at <= forager_now() - interval '2 minutes'
   and heartbeat_at > forager_now() - interval '1 day'
 order by heartbeat_at desc
 limit 100
