-- Of shapes $2 of URLs of domain $1, $3 less were admitted: they may be found again.
-- Relies on: the primary key of url_templates.
update url_templates t
   set admitted_count = greatest(0, t.admitted_count - v.count)
  from unnest($2::text[], $3::bigint[]) as v (template, count)
 where t.domain_id = $1 and t.template = v.template
