-- When this backfill begins, how far the ids of domains reach, and since which day the log is complete: days are
-- dropped whole, so it is from the first moment of the day of its oldest row.
-- Relies on: the primary keys of domains, urls and pages; the log is read through once.
select forager_now()::text as "startedAt",
       greatest((select max(id) from domains), (select max(domain_id) from urls),
                (select max(domain_id) from pages), (select max(domain_id) from crawl_log), 0) as "lastId",
       (select date_trunc('day', min(fetched_at)) from crawl_log)::text as "logSince"
