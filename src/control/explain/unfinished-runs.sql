-- Runs that are not finished and work on domain $1; the standing order never is, and is none of them.
-- Relies on: crawl_run_domains_domain.
select r.id as run, r.status::text as status
  from crawl_run_domains m join crawl_runs r on r.id = m.run_id
 where m.domain_id = $1 and r.finished_at is null and r.id <> 0 order by r.id desc limit 10
