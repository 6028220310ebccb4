-- From task $1 up to its parents: a row when task $2 is among them, or is the same, with the way to it.
-- Relies on: the primary key of crawl_tasks.
with recursive up (id, parent_id, path) as (
  select id, parent_task_id, array[id] from crawl_tasks where id = $1
  union all
  select t.id, t.parent_task_id, u.path || t.id
    from up u
    join crawl_tasks t on t.id = u.parent_id
   where u.id <> $2 and t.id <> all(u.path)
)
select path::text[] as path from up where id = $2
