-- The ids of the domains named $1.
-- Relies on: the unique index on domain.
select id, domain from domains where domain = any($1::text[])
