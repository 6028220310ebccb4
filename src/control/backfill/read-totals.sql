-- How many domains the log speaks of and how many the table has, in all and from backfills.
-- Relies on: nothing: it reads the log and the table of domains through.
select (select count(distinct domain_id) from crawl_log) as "inLog",
       count(*) as "inTable",
       count(*) filter (where source like 'backfill%') as "fromBackfills"
  from domains
