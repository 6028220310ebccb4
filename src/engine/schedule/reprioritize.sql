-- Brings yields, error rate and score of domains up to date, in the order of their ids: of those in $1 (null: of
-- all) after id $2 at most $3 that changed or were never computed. Blocked and unreachable domains keep the score
-- they had. Nobody is waited for: a domain that somebody is writing about is left for the next time.
-- Relies on: the primary key of domains.
with changed as (
  select d.id, p.image_yield_rate, p.product_yield_rate, p.avg_images_per_page, p.error_rate, p.score
    from domains d join domain_priorities p on p.id = d.id
   where d.id > $2 and p.id > $2 and ($1::bigint[] is null or d.id = any($1))
     and d.status not in ('blocked', 'unreachable')
     and (d.priority_computed_at is null
          or d.priority_score <> p.score
          or d.image_yield_rate is distinct from p.image_yield_rate
          or d.product_yield_rate is distinct from p.product_yield_rate
          or d.avg_images_per_page is distinct from p.avg_images_per_page
          or d.error_rate is distinct from p.error_rate)
   order by d.id
   limit $3
   for update of d skip locked
), written as (
  update domains d
     set image_yield_rate = c.image_yield_rate,
         product_yield_rate = c.product_yield_rate,
         avg_images_per_page = c.avg_images_per_page,
         error_rate = c.error_rate,
         priority_score = c.score,
         priority_computed_at = forager_now()
    from changed c
   where d.id = c.id
  returning d.id
)
select count(*)::int as count, max(id) as "lastId" from written
