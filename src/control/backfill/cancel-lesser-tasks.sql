-- Before tasks of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a page would
-- have two that are not over, the one that was there first stays, and the others are cancelled.
-- Relies on: crawl_tasks_one_live, the primary key of crawl_tasks.
with coming as (
  select m.to_id, t.id, t.url_hash
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join crawl_tasks t on t.domain_id = m.from_id and (m.host is null or m.host = split_part(t.url, '/', 3))
   where t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
), alike as (
  select to_id, id, url_hash from coming
  union all
  select t.domain_id, t.id, t.url_hash
    from (select distinct to_id, url_hash from coming) as c
    join crawl_tasks t on t.domain_id = c.to_id and t.url_hash = c.url_hash
   where t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
), ranked as (
  select id, row_number() over (partition by to_id, url_hash order by id) as place from alike
)
update crawl_tasks t
   set status = 'cancelled', moved_by = 'backfill', move_reason = 'its page has another task, of another spelling'
  from ranked r
 where r.place > 1 and t.id = r.id
