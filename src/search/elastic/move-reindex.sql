-- The index for the kind $1 has everything up to the number $2.
-- Relies on: the primary key of search_reindexes.
update search_reindexes set after_id = $2 where kind = $1
