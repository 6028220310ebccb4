-- How deep the pages of domain $1 reach that are left.
-- Relies on: the primary key of domains, pages_domain.
update domains d
   set crawl_depth_reached = coalesce((select max(p.depth) from pages p where p.domain_id = d.id), 0)
 where d.id = $1
