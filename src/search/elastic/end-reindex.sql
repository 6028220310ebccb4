-- Nothing is being built for the kind $1 any more.
-- Relies on: the primary key of search_reindexes.
delete from search_reindexes where kind = $1
