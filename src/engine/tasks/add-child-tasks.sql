-- The pages $2 that the pages of tasks $1 name become tasks, unless they have one already or were asked for since the
-- task that all this began with was last begun. Whoever had that page has them too: what bots do is not ours to
-- fetch. Whose batch is paused starts paused.
-- Relies on: the primary keys of crawl_tasks, crawl_batches and urls, crawl_tasks_one_live.
with recursive ancestors as (
  select t.id as task_id, t.parent_task_id, coalesce(t.started_at, t.created_at) as begun_at
    from crawl_tasks t where t.id = any($1::bigint[])
  union all
  select a.task_id, p.parent_task_id, coalesce(p.started_at, p.created_at)
    from ancestors a join crawl_tasks p on p.id = a.parent_task_id
), orders as (
  select task_id, min(begun_at) as begun_at from ancestors group by task_id
)
insert into crawl_tasks (domain_id, url, url_hash, status, move_reason, priority, scheduled_at, max_retries, batch_id,
                         parent_task_id, follow_depth, follow_limit, executor, wanted, created_by, moved_by, created_at, updated_at)
select t.domain_id, v.url, v.url_hash,
       (case when b.paused_at is null then 'pending' else 'paused' end)::task_status,
       case when b.paused_at is null then 'named by the page of task ' || t.id else 'batch paused' end,
       t.priority, forager_now(), t.max_retries, t.batch_id,
       t.id, t.follow_depth - 1, t.follow_limit, t.executor, t.wanted, 'task:' || t.id, 'task:' || t.id, forager_now(), forager_now()
  from unnest($1::bigint[], $2::text[], $3::bytea[]) as v (task_id, url, url_hash)
  join crawl_tasks t on t.id = v.task_id and t.follow_depth > 0
  join orders o on o.task_id = t.id
  left join crawl_batches b on b.id = t.batch_id
 where not exists (select from urls u
                    where u.domain_id = t.domain_id and u.url_hash = v.url_hash and u.last_crawled_at >= o.begun_at)
on conflict (domain_id, url_hash)
  where status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
  do nothing
returning id
