-- Domains $1 held in the order of their ids, like everywhere: whoever writes about pages holds their domain first.
-- Relies on: the primary key of domains.
select id from domains where id = any($1::bigint[]) order by id for update
