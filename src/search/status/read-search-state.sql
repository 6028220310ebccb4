-- How search is: how much can be found (counted up to 100,000, about beyond), how much waits, and what the search server
-- was told.
-- Relies on: pages_search_due, search_outbox_queued.
select case when c.products <= 100000 then c.products
            else (select greatest(reltuples, c.products)::bigint from pg_class where oid = 'products'::regclass) end as products,
       case when c.pages <= 100000 then c.pages
            else (select greatest(reltuples, c.pages)::bigint from pg_class where oid = 'page_texts'::regclass) end as pages,
       (select count(*)::int from pages p
         where (case when p.is_noindex or p.gone_at is not null then null else p.content_hash end)
               is distinct from p.search_hash) as "pagesWaiting",
       (select count(*)::int from (select from search_outbox limit 1000001) as o) as "outboxCount",
       (select extract(epoch from forager_now() - min(queued_at))::float8 from search_outbox) as "outboxAgeSeconds",
       (select count(*)::int from search_rejects) as rejected,
       t.name as server, t.product_built_at is not null and t.page_built_at is not null as "isBuilt", t.succeeded_at as "succeededAt", t.failed_at as "failedAt", t.failure
  from (select (select count(*) from (select from products limit 100001) as few) as products,
               (select count(*) from (select from page_texts limit 100001) as few) as pages) as c
  left join search_targets t on true
