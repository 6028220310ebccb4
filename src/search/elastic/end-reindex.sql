-- The index $2 is in its place: nothing is being built for the kind $1 any more. Where another server was registered
-- meanwhile, it is none of that one's.
-- Relies on: the primary key of search_reindexes.
with ended as (delete from search_reindexes where kind = $1 and index_name = $2 returning kind)
update search_targets t
   set product_built_at = case e.kind when 'product' then forager_now() else t.product_built_at end,
       page_built_at = case e.kind when 'page' then forager_now() else t.page_built_at end
  from ended e
