-- Alerts of the rules $1 whose cause was not found any more ($2 and $3: codes and subjects of what was found).
-- Relies on: alerts_one_open.
update alerts a set resolved_at = forager_now()
 where a.resolved_at is null and a.code = any($1::text[])
   and not exists (select from unnest($2::text[], $3::text[]) as f (code, subject)
                    where f.code = a.code and f.subject = a.subject)
