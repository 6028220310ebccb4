-- robots.txt of one origin, as just read.
-- Relies on: the primary key of domain_robots.
insert into domain_robots (domain_id, origin, access, http_status, body, note, crawl_delay_seconds,
                           fetched_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (domain_id, origin) do update
   set access = excluded.access, http_status = excluded.http_status, body = excluded.body,
       note = excluded.note, crawl_delay_seconds = excluded.crawl_delay_seconds,
       fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
