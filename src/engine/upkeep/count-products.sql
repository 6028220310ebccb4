-- How many products there are of domains that bots work on: they hold no lock on the domain and count nothing themselves.
-- A domain that somebody is writing about is left for the next time.
-- Relies on: products_domain, the primary keys of bot_queues and domains.
with counted as (
  select d.id, (select count(*) from products p where p.domain_id = d.id) as products
    from bot_queues q
    join domains d on d.id = q.domain_id
   order by d.id
     for update of d skip locked
)
update domains d
   set products_found = c.products
  from counted c
 where d.id = c.id and d.products_found <> c.products
