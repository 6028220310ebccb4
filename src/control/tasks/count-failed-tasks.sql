-- How many failed tasks there are of domain $1 and batch $2, failed since $3, as far as these are given, and how many
-- pages of theirs have no live task: that many can be restarted. Looks at no more than $4 of the failed ones, and tells
-- how many it has looked at.
-- Relies on: crawl_tasks_status, crawl_tasks_failed, crawl_tasks_batch, crawl_tasks_one_live.
with looked as materialized (
  select domain_id, url_hash, completed_at
    from crawl_tasks
   where status = 'failed'
     and ($1::bigint is null or domain_id = $1)
     and ($2::bigint is null or batch_id = $2)
   limit $4
),
matched as (
  select domain_id, url_hash from looked where $3::timestamptz is null or completed_at >= $3
)
select (select count(*)::int from looked) as looked, count(*)::int as matched,
       (count(distinct (t.domain_id, t.url_hash)) filter (where l.id is null))::int as free
  from matched t
  left join crawl_tasks l
         on l.domain_id = t.domain_id and l.url_hash = t.url_hash
        and l.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
