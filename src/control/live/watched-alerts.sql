-- Alerts that are open, those of $1 (open when last looked at), those after number $2, and always the newest.
-- Relies on: alerts_one_open, the primary key of alerts.
select id, code, subject, severity, message, raised_at as "raisedAt", acknowledged_at as "acknowledgedAt",
       resolved_at as "resolvedAt"
  from alerts
 where id in ((select id from alerts where resolved_at is null limit 1000)
              union (select unnest($1::bigint[]))
              union (select id from alerts where id > $2 order by id limit 1000)
              union (select max(id) from alerts))
 order by id
