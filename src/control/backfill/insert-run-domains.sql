-- Which runs domains $1 were part of, by the log, and what those had from them; error outcomes are $2.
-- Relies on: crawl_log_url, the primary keys of crawl_runs and crawl_run_domains.
insert into crawl_run_domains (run_id, domain_id, pages_count, fetches_count, errors_count, bytes_count)
select l.run_id, l.domain_id, count(*) filter (where l.outcome = 'page'), count(*),
       count(*) filter (where l.outcome = any($2::text[])), sum(l.bytes_count)
  from crawl_log l
  join crawl_runs r on r.id = l.run_id
 where l.domain_id = any($1::bigint[])
 group by l.run_id, l.domain_id
on conflict (run_id, domain_id) do nothing
