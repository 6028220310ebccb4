-- Which of these names are taken.
-- Relies on: the unique index on domain.
select domain from domains where domain = any($1::text[])
