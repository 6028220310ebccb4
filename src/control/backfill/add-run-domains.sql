-- What runs have had from domains $1 is added to what they have had from domains $2.
-- Relies on: crawl_run_domains_domain and the primary key of crawl_run_domains.
insert into crawl_run_domains
       (run_id, domain_id, is_seed, pages_count, fetches_count, errors_count, bytes_count, note, pages_allowed)
select r.run_id, m.to_id, bool_or(r.is_seed), sum(r.pages_count), sum(r.fetches_count), sum(r.errors_count),
       sum(r.bytes_count), min(r.note), max(r.pages_allowed)
  from unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
  join crawl_run_domains r on r.domain_id = m.from_id
 group by r.run_id, m.to_id
on conflict (run_id, domain_id) do update
   set is_seed = crawl_run_domains.is_seed or excluded.is_seed,
       pages_count = crawl_run_domains.pages_count + excluded.pages_count,
       fetches_count = crawl_run_domains.fetches_count + excluded.fetches_count,
       errors_count = crawl_run_domains.errors_count + excluded.errors_count,
       bytes_count = crawl_run_domains.bytes_count + excluded.bytes_count,
       note = coalesce(crawl_run_domains.note, excluded.note),
       pages_allowed = greatest(crawl_run_domains.pages_allowed, excluded.pages_allowed)
