-- Whether the search server $1 has an index for the kind $2 that was built since it was registered.
-- Relies on: the primary key of search_targets.
select case $2::text when 'product' then product_built_at else page_built_at end is not null as "isBuilt"
  from search_targets where name = $1
