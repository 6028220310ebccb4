-- Changes of products after number $1, in their order, at most $3; and of the numbers in $2 those that exist by now. What
-- is long is told by its name only.
-- Relies on: the primary keys of product_events, products and domains.
select e.id, e.product_id as "productId", left(p.url, 2000) as url, d.domain, left(p.name, 300) as name, p.currency,
       e.at,
       (select jsonb_object_agg(c.key, case when length(c.value::text) <= 500 then c.value end)
          from jsonb_each(e.changes) as c) as changes
  from ((select * from product_events where id = any ($2::bigint[]) order by id)
        union all
        (select * from product_events where id > $1 order by id limit $3)) as e
  join products p on p.id = e.product_id
  join domains d on d.id = e.domain_id
 order by e.id
