-- How search is: how much can be found, how much waits, and what the search server was told.
-- Relies on: pages_search_due, search_outbox_queued.
select (select greatest(reltuples, 0)::bigint from pg_class where oid = 'products'::regclass) as products,
       (select greatest(reltuples, 0)::bigint from pg_class where oid = 'page_texts'::regclass) as pages,
       (select count(*)::int from pages p
         where (case when p.is_noindex or p.gone_at is not null then null else p.content_hash end)
               is distinct from p.search_hash) as "pagesWaiting",
       (select count(*)::int from (select from search_outbox limit 1000001) as o) as "outboxCount",
       (select extract(epoch from forager_now() - min(queued_at))::float8 from search_outbox) as "outboxAgeSeconds",
       (select count(*)::int from search_rejects) as rejected,
       t.name as server, t.succeeded_at as "succeededAt", t.failed_at as "failedAt", t.failure
  from (select) as one left join search_targets t on true
