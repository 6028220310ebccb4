-- Fills a migrated database with bench.tasks waiting tasks, all due now (bench.kind = 'due'), or half of them due in
-- the next 30 days and half queued (bench.kind = 'mixed'). What was there before is gone. The same numbers give the
-- same rows.
--   a hundred tasks for each ordinary domain, in the order in which they were handed in, one domain after the other;
--   but half of the queued ones are of one domain, giant.example
--   giant.example and work-1 … work-5.example are leased by bench.worker
set synchronous_commit = off;
-- The history is written by hand, below.
set session_replication_role = replica;
truncate domains, crawl_tasks, task_events restart identity cascade;

insert into domains (domain, parent_domain, base_url, source, is_explored, status, status_code, claimed_by,
                     claim_expires_at, version)
select name, name, 'https://' || name, 'task', false, 'active', 'claimed', current_setting('bench.worker'),
       forager_now() + interval '1 day', 1
  from unnest(array['giant.example', 'work-1.example', 'work-2.example', 'work-3.example', 'work-4.example',
                    'work-5.example']) as name;
insert into domains (domain, parent_domain, base_url, source, is_explored, status, status_code, seed_rank)
select 'site-' || n || '.example', 'site-' || n || '.example', 'https://site-' || n || '.example', 'task', false,
       'pending', 'seeded', n
  from generate_series(1, (current_setting('bench.tasks')::int + 99) / 100) as n
 order by n;

insert into crawl_tasks (domain_id, url, url_hash, status, priority, scheduled_at, created_at, updated_at)
select d.id, written.url, sha256(convert_to(written.url, 'UTF8')), t.status, t.priority,
       case when t.is_later then forager_now() + interval '1 day' + t.part * interval '30 days'
            else forager_now() - interval '1 day' + t.part * interval '20 hours' end,
       forager_now() - interval '2 days', forager_now() - interval '2 days'
  from (select n, n::float8 / size.tasks as part,
               size.kind = 'mixed' and n > size.tasks / 2 as is_later,
               case when size.kind = 'mixed' and n <= size.tasks / 4 then 1 else 7 + (n - 1) / 100 end as domain_id,
               case when size.kind = 'mixed' and n <= size.tasks / 2 then 'queued' else 'pending' end::task_status
                 as status,
               case when size.kind = 'mixed' and n > size.tasks / 2 then 1 + n % 10 else 5 end as priority
          from (select current_setting('bench.tasks')::int as tasks, current_setting('bench.kind') as kind) as size,
               generate_series(1, size.tasks) as n) as t
  join domains d on d.id = t.domain_id,
       lateral (select d.base_url || '/section-' || t.n % 8 || '/the-name-of-a-page-' || t.n || '.html' as url)
         as written
 order by t.n;

insert into task_events (task_id, at, from_status, to_status, actor)
select id, created_at, null, 'pending', 'bench' from crawl_tasks order by id;
insert into task_events (task_id, at, from_status, to_status, actor)
select id, scheduled_at, 'pending', 'queued', 'scheduler' from crawl_tasks where status = 'queued' order by id;

update domains d
   set task_priority = q.priority
  from (select domain_id, min(priority) as priority from crawl_tasks where status = 'queued' group by 1) as q
 where d.id = q.domain_id;
reset session_replication_role;
reset synchronous_commit;
