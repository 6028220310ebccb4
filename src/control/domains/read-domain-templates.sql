-- URL shapes of domain $1 that have a budget, the fullest first.
-- Relies on: the primary key of url_templates.
select template, admitted_count as admitted
  from url_templates where domain_id = $1 order by admitted_count desc, template limit 1000
