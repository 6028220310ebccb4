-- The URL shapes of domains $1 that have a budget, the fullest first.
-- Relies on: the primary key of url_templates.
select v.domain_id, t.template, t.admitted_count
  from unnest($1::bigint[]) as v (domain_id),
       lateral (select u.template, u.admitted_count from url_templates u
                 where u.domain_id = v.domain_id order by u.admitted_count desc limit 5000) as t
