-- Of the pages $1/$2 (domain, hash), those that have a task which is not over, with its number, state and batch.
-- Relies on: crawl_tasks_one_live.
select t.id, t.domain_id as "domainId", t.url_hash as hash, t.status::text as status,
       t.batch_id as "batchId"
  from unnest($1::bigint[], $2::bytea[]) as v (domain_id, url_hash)
  join crawl_tasks t on t.domain_id = v.domain_id and t.url_hash = v.url_hash
 where t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
