-- Worker $1 enters the register as incarnation $2. A name is free when nobody has it, when whoever had it has
-- stopped or been silent for $10 seconds, or where $11 (its process is known to be gone). $12: what it does with tasks.
-- Relies on: the primary key of workers.
insert into workers as w (id, incarnation, kind, run_id, host, machine, pid, process_mark, program_version,
                          duties, started_at, heartbeat_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12, forager_now(), forager_now())
on conflict (id) do update
   set incarnation = excluded.incarnation, kind = excluded.kind, run_id = excluded.run_id, host = excluded.host,
       machine = excluded.machine, pid = excluded.pid, process_mark = excluded.process_mark,
       program_version = excluded.program_version, duties = excluded.duties, state = 'running',
       domains_count = 0, in_flight_count = 0, wanted_count = 0, heartbeat_at = excluded.heartbeat_at, stopped_at = null,
       -- One that enters again after the database was away goes on counting.
       started_at = case when w.incarnation = excluded.incarnation then w.started_at else excluded.started_at end,
       pages_count = case when w.incarnation = excluded.incarnation then w.pages_count else 0 end,
       fetches_count = case when w.incarnation = excluded.incarnation then w.fetches_count else 0 end,
       errors_count = case when w.incarnation = excluded.incarnation then w.errors_count else 0 end,
       bytes_count = case when w.incarnation = excluded.incarnation then w.bytes_count else 0 end
 where w.incarnation = excluded.incarnation or w.state = 'stopped'
    or w.heartbeat_at < forager_now() - $10::int * interval '1 second' or $11::boolean
returning id
