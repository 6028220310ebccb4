-- How many products there are of a kind, here of domain $2; not more than $1 are counted.
-- Relies on: products_domain, products_brand, products_category, products_updated, products_price, products_missing.
select count(*)::int as count
  from (select from products where /* few */ domain_id = $2::bigint limit $1) as f
