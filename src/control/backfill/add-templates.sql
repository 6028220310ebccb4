-- What domains $1 have used of the budgets of their URL templates is added to that of domains $2.
-- Relies on: the primary key of url_templates.
insert into url_templates (domain_id, template, admitted_count)
select m.to_id, t.template, sum(t.admitted_count)
  from unnest($1::bigint[], $2::bigint[]) as m (from_id, to_id)
  join url_templates t on t.domain_id = m.from_id
 group by m.to_id, t.template
on conflict (domain_id, template) do update
   set admitted_count = url_templates.admitted_count + excluded.admitted_count
