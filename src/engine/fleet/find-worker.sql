-- Who has the name $1.
-- Relies on: the primary key of workers.
select host, pid, process_mark, state,
       extract(epoch from forager_now() - heartbeat_at)::float8 as silent_seconds
  from workers where id = $1
