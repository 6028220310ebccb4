-- Runs $1 have $3 pages less of domains $2. (The standing order has no counters but those of its domains.)
-- Relies on: the primary keys of crawl_run_domains and crawl_runs. The domains must be locked already.
with lowered as (
  update crawl_run_domains m
     set pages_count = m.pages_count - held.pages
    from (select c.run_id, c.domain_id, least(c.pages_count, v.pages) as pages
            from unnest($1::bigint[], $2::bigint[], $3::int[]) as v (run_id, domain_id, pages)
            join crawl_run_domains c on c.run_id = v.run_id and c.domain_id = v.domain_id) as held
   where m.run_id = held.run_id and m.domain_id = held.domain_id
  returning m.run_id, held.pages
)
update crawl_runs r
   set pages_count = greatest(r.pages_count - s.pages, 0)
  from (select run_id, sum(pages) as pages from lowered where run_id > 0 group by run_id) as s
 where r.id = s.run_id
