-- Names of products that begin with $1 (without accents and case), in the order of the alphabet, at most $2.
-- Relies on: products_name_key.
select distinct p.name as text
  from (select left(name, 200) as name from products
         where name is not null and search_key(name) like replace(replace(replace($1, '\', '\\'), '%', '\%'), '_', '\_') || '%'
         order by search_key(name) using ~<~
         limit $2 * 3) as p
 limit $2
