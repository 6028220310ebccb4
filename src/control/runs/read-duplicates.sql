-- How many of run $1's pages have the very text of another of its pages of the same domain.
-- Relies on: nothing: reads every page, once at the end of a crawl.
select coalesce(sum(copies - 1), 0)::int as duplicates
  from (select count(*) as copies
          from pages where run_id = $1 and text_length > 0
         group by domain_id, content_hash having count(*) > 1) as repeated
