-- Worker $1 lives, as incarnation $2: what it is at ($3), what it holds and what it could take.
-- No row when somebody else has its name by now.
-- Relies on: the primary key of workers.
update workers
   set heartbeat_at = forager_now(), state = $3, domains_count = $4, in_flight_count = $5, wanted_count = $6,
       stopped_at = case when $3 = 'stopped' then forager_now() end
 where id = $1 and incarnation = $2
returning id
