-- Rows for domains that had none, in the state the log speaks for; a name somebody has added meanwhile is left alone.
-- A rest counts from the last visit.
-- Relies on: the unique index on domain.
insert into domains (domain, parent_domain, base_url, source, status, status_code, block_reason, block_reason_code,
                     first_blocked_at, first_seen_at, last_crawled_at, next_crawl_after)
select v.domain, v.parent_domain, v.base_url, 'backfill_crawl_log', v.status::domain_status, v.status_code,
       v.block_reason, case when v.status = 'blocked' then v.status_code end,
       case when v.status = 'blocked' then v.last_at end, coalesce(v.first_at, forager_now()), v.last_at,
       coalesce(v.last_at, forager_now()) + v.rest_ms * interval '1 millisecond'
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
              $8::timestamptz[], $9::float8[])
       as v (domain, parent_domain, base_url, status, status_code, block_reason, first_at, last_at, rest_ms)
 order by v.domain
on conflict (domain) do nothing
returning id
