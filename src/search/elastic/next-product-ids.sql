-- Numbers of products after $1, at most $2.
-- Relies on: the primary key of products.
select id from products where id > $1 order by id limit $2
