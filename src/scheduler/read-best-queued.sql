-- The best priority of the queued tasks of domains $1, of those that have any.
-- Relies on: crawl_tasks_queued.
select v.domain_id as "domainId", t.priority
  from unnest($1::bigint[]) as v (domain_id),
       lateral (select q.priority from crawl_tasks q
                 where q.domain_id = v.domain_id and q.status = 'queued'
                 order by q.priority limit 1) as t
