-- Of domains $1, those whose rates are not what their counters make of them, or whose score was never computed.
-- The score itself is no sign: it changes with the days.
-- Relies on: the primary key of domains.
select d.id
  from domains d join domain_priorities p on p.id = d.id
 where d.id = any($1::bigint[])
   and not coalesce(d.claimed_by is not null and d.claim_expires_at > forager_now(), false)
   and (d.priority_computed_at is null
        or d.image_yield_rate is distinct from p.image_yield_rate
        or d.product_yield_rate is distinct from p.product_yield_rate
        or d.avg_images_per_page is distinct from p.avg_images_per_page
        or d.error_rate is distinct from p.error_rate)
 order by d.id
