-- Those of domains $1 that are in their maintenance window, and in nobody's hands, rest until it is over.
-- Relies on: the primary key of domains.
with quiet as (
  select id, maintenance_ends(maintenance_start, maintenance_end, maintenance_timezone, forager_now()) as ends
    from domains
   where id = any($1::bigint[]) and claimed_by is null and is_active and status in ('pending', 'active')
   order by id
     for no key update skip locked
)
update domains d
   set next_crawl_after = greatest(d.next_crawl_after, quiet.ends), updated_at = forager_now()
  from quiet
 where d.id = quiet.id and quiet.ends is not null
returning d.id
