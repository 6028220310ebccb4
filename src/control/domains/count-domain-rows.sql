-- How many rows domain $1 has in the large tables.
-- Relies on: the primary keys of urls, pages and price_points, crawl_log_url, crawl_tasks_domain, error_logs_domain, products_domain.
select ((select count(*) from urls where domain_id = $1) + (select count(*) from pages where domain_id = $1)
        + (select count(*) from crawl_log where domain_id = $1)
        + (select count(*) from crawl_tasks where domain_id = $1)
        + (select count(*) from error_logs where domain_id = $1)
        + (select count(*) from products p left join price_points h on h.product_id = p.id
            where p.domain_id = $1))::int as count
