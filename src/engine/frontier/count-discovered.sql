-- Adds to the discovered counters of domains that are not ours to lease; new URLs wake an exhausted one.
-- Rows are locked in id order so that two workers finding links into each other's domains cannot deadlock.
with given as (
  select * from unnest($1::bigint[], $2::int[]) as g (id, added_count)
), locked as (
  select d.id from domains d join given g on g.id = d.id order by d.id for update of d
)
update domains d
   set pages_discovered = d.pages_discovered + g.added_count,
       status = case when d.status = 'exhausted' then 'pending' else d.status end,
       next_crawl_after = case when d.status = 'exhausted' then null else d.next_crawl_after end,
       updated_at = now()
  from given g join locked l on l.id = g.id
 where d.id = g.id and g.added_count > 0
