-- URL shapes of domain $1 that have a budget, the fullest first.
select template, admitted_count as admitted
  from url_templates where domain_id = $1 order by admitted_count desc, template limit 1000
