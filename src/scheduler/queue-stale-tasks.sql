-- Of tasks $1, whose domains are locked: those whose worker does not hold the domain any more wait for another.
-- Relies on: the primary keys of crawl_tasks and domains.
with stale as (
  select t.id
    from crawl_tasks t
    join domains d on d.id = t.domain_id
   where t.id = any($1::bigint[]) and t.status = 'crawling'
     and (d.claimed_by is distinct from t.locked_by or d.version is distinct from t.lock_version)
   order by t.id
     for update of t skip locked
)
update crawl_tasks t
   set status = 'queued', moved_by = 'scheduler', move_reason = 'its worker is gone'
  from stale
 where t.id = stale.id
returning t.id, t.domain_id as "domainId", t.priority
