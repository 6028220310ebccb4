-- How many URLs of shape $2 domain $1 has been allowed.
-- Relies on: the primary key of url_templates.
select admitted_count as admitted from url_templates where domain_id = $1 and template = $2
