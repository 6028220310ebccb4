-- Bodies that could not be parsed, one row each.
-- Relies on: nothing: it appends.
insert into error_logs (worker_id, category, occurred_at, task_id, domain_id, url, code, message, stack, http_status,
                        attempt)
select $1, 'parse', forager_now(), v.*
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[],
              $9::smallint[]) as v
