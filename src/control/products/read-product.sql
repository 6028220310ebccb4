-- What is told of product $1 beyond what lists tell.
-- Relies on: the primary keys of products, domains and pages.
select p.description, p.category_path as "categoryPath", p.variants, p.fields, p.problems, p.data,
       (select g.id from pages g where g.domain_id = p.domain_id and g.url_hash = p.url_hash) as "pageId"
  from products p
 where p.id = $1
