-- The numbers of the last changes of products, highest first: where a feed begins, and which numbers are missing there.
-- Relies on: the primary key of product_events.
select id from product_events order by id desc limit $1
