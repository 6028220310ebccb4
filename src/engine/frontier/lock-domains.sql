-- The ids of the named domains, locked in id order: whoever admits URLs into domains holds their rows first, so
-- that two workers finding links into each other's domains cannot wait for each other in a circle.
-- Relies on: the unique index on domain.
select id, domain from domains where domain = any($1::text[]) order by id for update
