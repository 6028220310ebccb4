-- Removes domains of which nothing is left.
-- Relies on: the primary key of domains.
delete from domains where id = any($1::bigint[])
