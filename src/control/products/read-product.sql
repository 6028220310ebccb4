-- What is told of product $1 beyond what lists tell.
-- Relies on: the primary keys of products and pages.
select p.description, p.category_path as "categoryPath", p.variants, p.fields, p.problems, p.data, g.id as "pageId",
       g.missing_since as "pageMissingSince"
  from products p
  left join pages g on g.domain_id = p.domain_id and g.url_hash = p.url_hash
 where p.id = $1
