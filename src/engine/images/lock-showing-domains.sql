-- Locks domains $1, in the order of their ids.
-- Relies on: the primary key of domains.
select d.id from domains d where d.id = any($1::bigint[]) order by d.id for no key update
