-- $2 looks after alert $1; one that somebody looks after already stays as it is. No row: it is over, or not known.
-- Relies on: the primary key of alerts.
update alerts
   set acknowledged_at = coalesce(acknowledged_at, forager_now()), acknowledged_by = coalesce(acknowledged_by, $2)
 where id = $1 and resolved_at is null
returning id, code, subject, severity, message, hint, raised_at as "raisedAt", last_seen_at as "lastSeenAt",
          acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", resolved_at as "resolvedAt"
