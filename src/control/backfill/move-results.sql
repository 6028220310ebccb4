-- Results of bots go where their tasks have gone, out of domains $1.
-- Relies on: crawl_results_domain, the primary key of crawl_tasks.
update crawl_results r
   set domain_id = t.domain_id
  from crawl_tasks t
 where r.domain_id = any($1::bigint[]) and t.id = r.task_id and r.domain_id <> t.domain_id
