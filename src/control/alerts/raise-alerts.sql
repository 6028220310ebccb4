-- What was found wrong: a new alert each, or one that stands already and is seen once more.
-- Relies on: alerts_one_open.
insert into alerts (code, subject, severity, message, hint, raised_at, last_seen_at)
select v.code, v.subject, v.severity, v.message, v.hint, forager_now(), forager_now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       as v (code, subject, severity, message, hint)
 order by v.code, v.subject
on conflict (code, subject) where resolved_at is null do update
   set last_seen_at = excluded.last_seen_at, message = excluded.message, severity = excluded.severity
