-- The numbers of the last changes of state, highest first: where a feed begins, and which numbers are missing there.
-- Relies on: the primary key of domain_events.
select id from domain_events order by id desc limit $1
