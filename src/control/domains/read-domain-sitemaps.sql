-- Sitemaps of domain $1, the fullest first.
-- Relies on: the primary key of domain_sitemaps.
select url, state, urls_count as urls, note, read_at as "readAt"
  from domain_sitemaps where domain_id = $1 order by urls_count desc, nesting, url limit 20
