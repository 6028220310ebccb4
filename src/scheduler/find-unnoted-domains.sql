-- Of the next $2 domains after number $1 that have queued tasks: which they are, whether their row says so, and whether
-- nobody would work on them: they are in the queue of a crawl that was given up. Goes from one domain to the next: each
-- may have thousands of tasks.
-- Relies on: crawl_tasks_queued, the primary keys of domains and crawl_runs.
with recursive queued as (
  (select t.domain_id, 1 as n from crawl_tasks t
    where t.status = 'queued' and t.domain_id > $1 order by t.domain_id limit 1)
  union all
  select (select t.domain_id from crawl_tasks t
           where t.status = 'queued' and t.domain_id > q.domain_id order by t.domain_id limit 1), q.n + 1
    from queued q
   where q.domain_id is not null and q.n < $2
)
select d.id as "domainId",
       d.claimed_by is null
         and (d.task_priority is null or d.status = 'exhausted'
              or (d.run_id <> 0
                  and (r.status <> 'running' or r.updated_at < forager_now() - interval '2 minutes'))) as "isUnnoted"
  from queued q
  join domains d on d.id = q.domain_id
  left join crawl_runs r on r.id = d.run_id
 order by d.id
