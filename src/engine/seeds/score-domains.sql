-- Brings the scores of domains $1 up to date, so that a rank counts from the first claim on.
-- Relies on: the primary key of domains.
update domains d
   set priority_score = p.score, priority_computed_at = forager_now()
  from domain_priorities p
 where d.id = any($1::bigint[]) and p.id = d.id
