-- A new batch of the name $1, made by $2.
-- Relies on: nothing.
insert into crawl_batches (name, created_by, created_at) values ($1, $2, forager_now())
returning id
