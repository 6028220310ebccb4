-- The last runs that worked on domain $1.
-- Relies on: crawl_run_domains_domain.
select r.id as run, r.status::text as status, r.end_reason as "endReason", m.pages_count as pages,
       m.fetches_count as fetches, m.errors_count as errors, m.bytes_count as bytes,
       r.started_at as "startedAt", r.finished_at as "finishedAt"
  from crawl_run_domains m join crawl_runs r on r.id = m.run_id
 where m.domain_id = $1 order by r.id desc limit 5
