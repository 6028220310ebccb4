-- Products $1 as a search server gets them.
-- Relies on: the primary keys of products and domains.
select p.id,
       jsonb_build_object(
         'product_id', p.id, 'product_name', left(p.name, 1000), 'description', left(p.description, 20000),
         'brand', left(p.brand, 200), 'category', left(p.category, 1000), 'domain_name', d.domain,
         'created_at', to_char(p.first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'codes', array_remove(array[left(p.sku, 200), left(p.gtin, 200), left(p.mpn, 200)], null),
         'domain_id', p.domain_id, 'price', p.price, 'currency', p.currency, 'availability', p.availability,
         'rating', p.rating, 'is_missing', p.missing_since is not null, 'updated_us', (extract(epoch from p.updated_at) * 1000000)::bigint)::text as doc
  from products p join domains d on d.id = p.domain_id
 where p.id = any($1::bigint[])
