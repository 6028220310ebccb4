-- Changes of state after number $1, in their order, at most $3; and of the numbers in $2 those that exist by now.
-- Relies on: the primary keys of domain_events and domains.
select e.id, d.domain, e.at, e.from_status as "from", e.to_status as "to", e.code, left(e.reason, 300) as reason, e.actor,
       e.run_id as run, e.next_crawl_after as "nextCrawlAfter"
  from ((select * from domain_events where id = any ($2::bigint[]) order by id)
        union all
        (select * from domain_events where id > $1 order by id limit $3)) as e
  join domains d on d.id = e.domain_id
 order by e.id
