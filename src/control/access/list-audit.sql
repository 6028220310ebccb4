-- What people with power did, the latest first, before a given moment and entry.
-- Relies on: audit_log_at, audit_log_actor, audit_log_action.
select id, at, actor, action, target, details, address, request_id as "requestId",
       to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText"
  from audit_log
 where ($1::text is null or actor = $1)
   and ($2::text is null or action = $2)
   and ($3::timestamptz is null or at >= $3)
   and ($4::timestamptz is null or at < $4)
   and ($5::timestamptz is null or (at, id) < ($5, $6))
 order by at desc, id desc
 limit $7
