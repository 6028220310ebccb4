-- Who holds leases now, and where it runs if it has registered.
-- Relies on: domains_claimed, the primary key of workers.
select c.claimed_by, w.host, w.pid, w.process_mark
  from (select distinct claimed_by from domains where claimed_by is not null) as c
  left join workers w on w.id = c.claimed_by
