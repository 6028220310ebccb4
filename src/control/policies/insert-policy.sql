-- A policy for page $2 (hash $3) of domain $1, run every $4 hours at priority $5 with $6 retries; after failures it
-- waits $7 minutes, a bot may take $8, executor $9, enabled $10, first due at $11 (now: null), made by $12, the pages
-- it names followed $13 deep, $14 of each; a bot must bring $15. No row: the page has one.
-- Relies on: the unique index on domain and page.
insert into crawl_policies (domain_id, url, url_hash, frequency_hours, priority, max_retries, retry_backoff_minutes,
                            timeout_minutes, executor, is_enabled, next_run_at, created_by, created_at, updated_at,
                            follow_depth, follow_limit, wanted)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11::timestamptz, forager_now()), $12, forager_now(),
        forager_now(), $13, $14, $15)
on conflict (domain_id, url_hash) do nothing
returning id
