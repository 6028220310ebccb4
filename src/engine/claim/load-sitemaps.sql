-- Sitemaps of domains $1 still to be read.
-- Relies on: domain_sitemaps_due.
select v.domain_id, s.url, s.nesting
  from unnest($1::bigint[]) as v (domain_id),
       lateral (select d.url, d.nesting from domain_sitemaps d
                 where d.domain_id = v.domain_id and d.state = 'due' order by d.nesting limit 1000) as s
