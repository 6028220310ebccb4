-- robots.txt of one origin, as just read; nothing, if its domain has been deleted meanwhile.
-- Relies on: the primary keys of domain_robots and domains.
insert into domain_robots (domain_id, origin, access, http_status, body, note, crawl_delay_seconds,
                           fetched_at, expires_at)
select d.id, $2, $3, $4::int, $5::bytea, $6, $7::float8, $8::timestamptz, $9::timestamptz
  from domains d where d.id = $1 for key share of d
on conflict (domain_id, origin) do update
   set access = excluded.access, http_status = excluded.http_status, body = excluded.body,
       note = excluded.note, crawl_delay_seconds = excluded.crawl_delay_seconds,
       fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
