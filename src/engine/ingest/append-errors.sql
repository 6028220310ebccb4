-- What went wrong, one row each.
-- Relies on: nothing: it appends.
insert into error_logs (worker_id, task_id, domain_id, url, category, code, message, http_status, attempt, occurred_at)
select $1, v.*
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[],
              $9::smallint[], $10::timestamptz[]) as v
