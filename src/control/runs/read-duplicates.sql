-- How many of run $1's pages have the very text of another of its pages of the same domain.
-- Relies on: the primary keys of crawl_run_domains and pages: only the run's own domains are read.
select coalesce(sum(copies - 1), 0)::int as duplicates
  from (select count(*) as copies
          from crawl_run_domains m
          join pages p on p.domain_id = m.domain_id
         where m.run_id = $1 and p.run_id = $1 and p.text_length > 0
         group by p.domain_id, p.content_hash
        having count(*) > 1) as repeated
