-- Domains $1, held against changes and claims until the end of the transaction.
-- Relies on: the primary key of domains.
select id from domains where id = any($1::bigint[]) order by id for update
