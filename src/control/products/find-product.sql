-- The number of the product known by hash $2 in domain $1.
-- Relies on: the unique indexes of products and of domains.
select p.id from products p where p.domain_id = (select d.id from domains d where d.domain = $1) and p.url_hash = $2
