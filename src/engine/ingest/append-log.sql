-- One row per visit.
-- Relies on: nothing: it appends to the partition of its day.
insert into crawl_log (run_id, worker_id, domain_id, url_hash, url, fetched_at, outcome, http_status, attempt,
                       duration_ms, bytes_count, message, discovery_type, proxy_id)
select $1, $2, v.*
  from unnest($3::bigint[], $4::bytea[], $5::text[], $6::timestamptz[], $7::text[], $8::smallint[],
              $9::smallint[], $10::int[], $11::int[], $12::text[], $13::text[], $14::bigint[]) as v
