-- Locks those of domains $1 that nobody else has locked, in the order of their ids.
-- Relies on: the primary key of domains.
select id from domains where id = any($1::bigint[]) order by id for no key update skip locked
