-- Tasks $1 go on at other domains ($2), at URLs $3, as tasks of their own, unless these have one already, also from a
-- commit of the same attempt that came to nothing. What was to be
-- followed from there still is. Whose batch is paused starts paused.
-- Relies on: the primary keys of crawl_tasks and crawl_batches, the unique index on domain, crawl_tasks_one_live, crawl_tasks_parent.
insert into crawl_tasks (domain_id, url, url_hash, status, move_reason, priority, scheduled_at, max_retries, batch_id,
                         parent_task_id, follow_depth, follow_limit, redirect_count, created_by, moved_by,
                         created_at, updated_at)
select d.id, v.url, v.url_hash,
       (case when b.paused_at is null then 'pending' else 'paused' end)::task_status,
       case when b.paused_at is null then 'where task ' || t.id || ' was redirected to' else 'batch paused' end,
       t.priority, forager_now(), t.max_retries, t.batch_id,
       t.id, t.follow_depth, t.follow_limit, t.redirect_count + 1, 'task:' || t.id, 'task:' || t.id,
       forager_now(), forager_now()
  from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) as v (task_id, domain, url, url_hash)
  join crawl_tasks t on t.id = v.task_id and t.status = 'crawling'
  join domains d on d.domain = v.domain
  left join crawl_batches b on b.id = t.batch_id
 where not exists (select from crawl_tasks c
                    where c.parent_task_id = t.id and c.url_hash = v.url_hash and c.created_at >= t.scheduled_at)
on conflict (domain_id, url_hash)
  where status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
  do nothing
