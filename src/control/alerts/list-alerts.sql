-- Alerts with a number below $1 (all: null), where $2 only those that are not over, of severity $3 (any: null),
-- newest first, at most $4.
-- Relies on: the primary key of alerts.
select id, code, subject, severity, message, hint, raised_at as "raisedAt", last_seen_at as "lastSeenAt",
       acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", resolved_at as "resolvedAt"
  from alerts
 where id < coalesce($1::bigint, 9223372036854775807) and (not $2::boolean or resolved_at is null)
   and ($3::text is null or severity = $3)
 order by id desc
 limit $4
