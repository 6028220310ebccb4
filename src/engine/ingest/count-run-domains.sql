-- What run $1 has had from each domain.
-- Relies on: the primary key of crawl_run_domains.
update crawl_run_domains m
   set pages_count = m.pages_count + v.pages,
       fetches_count = m.fetches_count + v.fetches,
       errors_count = m.errors_count + v.errors,
       bytes_count = m.bytes_count + v.bytes
  from unnest($2::bigint[], $3::int[], $4::int[], $5::int[], $6::bigint[])
       as v (domain_id, pages, fetches, errors, bytes)
 where m.run_id = $1 and m.domain_id = v.domain_id
