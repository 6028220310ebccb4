-- Of the pages $2/$3 (domain, hash), those that batch $1 has had a task for that is over, with the number of the newest.
-- Relies on: crawl_tasks_batch_pages.
select v.domain_id as "domainId", v.url_hash as hash, max(t.id) as id
  from unnest($2::bigint[], $3::bytea[]) as v (domain_id, url_hash)
  join crawl_tasks t on t.batch_id = $1 and t.url_hash = v.url_hash and t.domain_id = v.domain_id
 where t.status in ('completed', 'failed', 'cancelled', 'expired')
 group by v.domain_id, v.url_hash
