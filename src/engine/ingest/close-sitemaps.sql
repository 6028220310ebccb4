-- What became of sitemaps that were read.
-- Relies on: the primary key of domain_sitemaps.
update domain_sitemaps s
   set state = v.state, urls_count = v.urls_count, note = v.note, read_at = forager_now()
  from unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::text[])
       as v (domain_id, url, state, urls_count, note)
 where s.domain_id = v.domain_id and s.url = v.url
