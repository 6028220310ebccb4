-- The register of workers. Silent for two minutes without having stopped means dead.
-- Relies on: nothing: the register is short.
select id, incarnation, kind, host,
       case when state <> 'stopped' and heartbeat_at <= forager_now() - interval '2 minutes' then 'dead'
            else state end as state
  from workers
 order by id
