-- How many URLs of each shape were admitted.
-- Relies on: the primary key of url_templates.
insert into url_templates (domain_id, template, admitted_count)
select v.* from unnest($1::bigint[], $2::text[], $3::bigint[]) as v
on conflict (domain_id, template) do update
   set admitted_count = url_templates.admitted_count + excluded.admitted_count
