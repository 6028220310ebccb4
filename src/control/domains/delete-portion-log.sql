-- Removes the fetches of up to $2 URLs of domain $1 from the log, whatever day they are from. The counters of the
-- runs lose them: outcomes $3 are the ones that counted as errors. (The standing order has no counters but those of
-- its domains.) Answers how many went.
-- Relies on: crawl_log_url; the primary keys of crawl_run_domains and crawl_runs. The domain is locked already.
with removed as (
  delete from crawl_log
   where domain_id = $1 and url_hash in (select url_hash from crawl_log where domain_id = $1 limit $2)
  returning run_id, outcome, bytes_count
), sums as (
  select run_id, count(*) as fetches, count(*) filter (where outcome = any($3::text[])) as errors,
         sum(bytes_count) as bytes
    from removed where run_id is not null group by run_id
), held as (
  select m.run_id, least(m.fetches_count, s.fetches) as fetches, least(m.errors_count, s.errors) as errors,
         least(m.bytes_count, s.bytes) as bytes
    from sums s join crawl_run_domains m on m.run_id = s.run_id and m.domain_id = $1
), lowered as (
  update crawl_run_domains m
     set fetches_count = m.fetches_count - h.fetches, errors_count = m.errors_count - h.errors,
         bytes_count = m.bytes_count - h.bytes
    from held h where m.run_id = h.run_id and m.domain_id = $1
), lowered_runs as (
  update crawl_runs r
     set fetches_count = greatest(r.fetches_count - h.fetches, 0),
         errors_count = greatest(r.errors_count - h.errors, 0), bytes_count = greatest(r.bytes_count - h.bytes, 0)
    from held h where r.id = h.run_id and r.id > 0
)
select count(*)::int as count from removed
