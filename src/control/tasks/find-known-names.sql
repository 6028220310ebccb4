-- Those of the names $1 that are known.
-- Relies on: the unique index on domain.
select domain from domains where domain = any($1::text[])
