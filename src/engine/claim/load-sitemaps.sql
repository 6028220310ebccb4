-- Sitemaps of domain $1 still to be read.
-- Relies on: domain_sitemaps_due.
select url, nesting from domain_sitemaps where domain_id = $1 and state = 'due' order by nesting limit 1000
