-- Adds to the discovered counters of domains locked by this transaction: pages are counted, images ($2 less $3) are not;
-- new URLs of either kind wake an exhausted one.
-- Relies on: the primary key of domains.
update domains d
   set pages_discovered = d.pages_discovered + g.pages_count,
       status = case when d.status = 'exhausted' then 'pending' else d.status end,
       status_code = case when d.status = 'exhausted' then 'new_urls' else d.status_code end,
       next_crawl_after = case when d.status = 'exhausted' then null else d.next_crawl_after end,
       updated_at = forager_now()
  from unnest($1::bigint[], $2::int[], $3::int[]) as g (id, added_count, pages_count)
 where d.id = g.id and g.added_count > 0
