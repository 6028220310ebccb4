-- How many failed tasks there are of domain $1 and batch $2, failed since $3, as far as these are given, and how many
-- pages of theirs have no live task: that many can be restarted.
-- Relies on: crawl_tasks_status, crawl_tasks_failed, crawl_tasks_batch, crawl_tasks_one_live.
select count(*)::int as total,
       (count(distinct (t.domain_id, t.url_hash)) filter (where l.id is null))::int as free
  from crawl_tasks t
  left join crawl_tasks l
         on l.domain_id = t.domain_id and l.url_hash = t.url_hash
        and l.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
 where t.status = 'failed'
   and ($1::bigint is null or t.domain_id = $1)
   and ($2::bigint is null or t.batch_id = $2)
   and ($3::timestamptz is null or t.completed_at >= $3)
