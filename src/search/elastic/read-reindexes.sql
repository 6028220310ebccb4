-- The indexes that are being built.
-- Relies on: nothing.
select kind, index_name as "indexName" from search_reindexes
