-- The id of domain $1.
-- Relies on: the unique index on domain.
select id from domains where domain = $1
