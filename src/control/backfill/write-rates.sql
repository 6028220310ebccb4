-- Rates and score of domains $1, locked by this transaction, from their counters.
-- Relies on: the primary key of domains.
update domains d
   set image_yield_rate = p.image_yield_rate, product_yield_rate = p.product_yield_rate,
       avg_images_per_page = p.avg_images_per_page, error_rate = p.error_rate, priority_score = p.score,
       priority_computed_at = forager_now()
  from domain_priorities p
 where d.id = any($1::bigint[]) and p.id = d.id
