-- Rows of domains, held in the order of their ids before anything of their tasks is changed.
-- Relies on: the primary key of domains.
select id from domains where id = any($1::bigint[]) order by id for no key update
