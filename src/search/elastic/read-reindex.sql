-- The index that is being built for the kind $1, and how far it is.
-- Relies on: the primary key of search_reindexes.
select index_name as "indexName", after_id as "afterId" from search_reindexes where kind = $1
