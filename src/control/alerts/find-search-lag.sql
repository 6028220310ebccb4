-- What waits for the search server, if the first of it has waited for longer than $1 seconds.
-- Relies on: search_outbox_queued.
select (select count(*)::int from (select from search_outbox limit 1000000) as o) as count,
       extract(epoch from forager_now() - f.queued_at)::float8 as "ageSeconds",
       (select t.failure from search_targets t where t.failure is not null limit 1) as failure
  from (select queued_at from search_outbox order by queued_at limit 1) as f
 where f.queued_at < forager_now() - $1::float8 * interval '1 second'
