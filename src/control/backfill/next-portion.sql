-- Where the portion after domain $1 ends: at most $2 domains, and about $3 rows of each table that hangs on them.
-- Ids whose domain is gone count as well. Null: there is nothing left.
-- Relies on: the primary keys of domains, urls and pages, crawl_log_url.
select least(
         (select max(t.id) from (select id from domains where id > $1 order by id limit $2) as t),
         (select max(t.domain_id)
            from (select domain_id from urls where domain_id > $1 order by domain_id limit $3) as t),
         (select max(t.domain_id)
            from (select domain_id from pages where domain_id > $1 order by domain_id limit $3) as t),
         (select max(t.domain_id)
            from (select domain_id from crawl_log where domain_id > $1 order by domain_id limit $3) as t)) as upto
