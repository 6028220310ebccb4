-- The domain named $1.
-- Relies on: the unique index on domain.
select id, domain from domains where domain = $1
