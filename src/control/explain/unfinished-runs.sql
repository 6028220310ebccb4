-- Runs that are not finished and work on domain $1.
-- Relies on: crawl_run_domains_domain.
select r.id as run, r.status::text as status
  from crawl_run_domains m join crawl_runs r on r.id = m.run_id
 where m.domain_id = $1 and r.finished_at is null order by r.id desc limit 10
