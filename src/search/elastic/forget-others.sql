-- Search servers other than $1 are told nothing any more.
-- Relies on: the primary key of search_targets.
delete from search_targets where name <> $1
