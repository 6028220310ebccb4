-- Policies $1, held against changes until the end of the transaction.
-- Relies on: the primary key of crawl_policies.
select id from crawl_policies where id = any($1::bigint[]) order by id for update
