-- The figures of run $1.
-- Relies on: the primary keys of crawl_runs and crawl_run_domains.
select id as "runId", pages_count as pages, fetches_count as fetches, errors_count as errors,
       bytes_count as bytes, active_ms as "durationMs",
       (select count(*)::int from crawl_run_domains m where m.run_id = r.id) as "domainCount"
  from crawl_runs r where id = $1
