-- Of tasks $1, whose domains and policies are locked: those whose worker does not hold the domain any more wait for
-- another. What ten in a row did not survive is given up: it would be the end of every other, too.
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
   set status = (case when t.lost_count >= 9 then 'failed' else 'queued' end)::task_status,
       moved_by = 'scheduler',
       move_reason = 'its worker is gone' || case when t.lost_count >= 9 then ', the tenth in a row' else '' end,
       error_message = case when t.lost_count >= 9 then 'ten workers in a row were gone before it was done'
                            else t.error_message end,
       lost_count = t.lost_count + 1
  from stale
 where t.id = stale.id
returning t.id, t.domain_id as "domainId", t.priority, t.status = 'queued' as "isReady"
