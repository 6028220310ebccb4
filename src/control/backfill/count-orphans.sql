-- Rows of domains after $1 and up to $2 (but not of $3) whose domain has no row.
-- Relies on: the primary keys of urls, pages and domains, crawl_log_url.
select (select count(*)::int from urls u
         where u.domain_id > $1 and u.domain_id <= $2 and u.domain_id <> all($3::bigint[])
           and not exists (select from domains d where d.id = u.domain_id)) as urls,
       (select count(*)::int from pages p
         where p.domain_id > $1 and p.domain_id <= $2 and p.domain_id <> all($3::bigint[])
           and not exists (select from domains d where d.id = p.domain_id)) as pages,
       (select count(*)::int from crawl_log l
         where l.domain_id > $1 and l.domain_id <= $2 and l.domain_id <> all($3::bigint[])
           and not exists (select from domains d where d.id = l.domain_id)) as fetches
