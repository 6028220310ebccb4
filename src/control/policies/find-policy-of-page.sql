-- The policy of the page of domain $1 whose hash is $2.
-- Relies on: the unique index on domain and page.
select id from crawl_policies where domain_id = $1 and url_hash = $2
