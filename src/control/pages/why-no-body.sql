-- Whether run $2 kept the body of any page of domain $1, and whether it met pages that ask not to be archived.
-- Relies on: the primary keys of pages and crawl_run_tallies, the unique index on domain.
select exists (select from pages p
                where p.domain_id = (select id from domains where domain = $1)
                  and p.run_id = $2 and p.segment_id is not null) as "keptOthers",
       exists (select from crawl_run_tallies where run_id = $2 and tally = 'skip:noarchive') as "metNoarchive"
