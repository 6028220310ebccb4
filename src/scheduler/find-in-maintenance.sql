-- Of the next $2 domains after number $1 that have a maintenance window: which they are, and whether they are in it
-- while the claim still takes them for ready.
-- Relies on: domains_with_maintenance.
select id as "domainId",
       claimed_by is null and is_active and status in ('pending', 'active')
         and coalesce(next_crawl_after < ends, ends is not null) as "isDisturbable"
  from (select d.*, maintenance_ends(maintenance_start, maintenance_end, maintenance_timezone, forager_now()) as ends
          from domains d
         where d.maintenance_start is not null and d.id > $1
         order by d.id
         limit $2) as d
 order by id
