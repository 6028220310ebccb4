-- Removes up to $2 tasks of domain $1 with their histories and dead letters. Answers how many went. Those of other
-- domains that waited for one of them wait for nobody any more. The newest go first: tasks that others wait for are the
-- older ones, and whoever goes with them need not be told.
-- Relies on: crawl_tasks_domain, crawl_tasks_parent, dead_letters_task; the primary keys of the tables.
with doomed as materialized (
  select id from crawl_tasks where domain_id = $1 order by id desc limit $2
), events as (
  delete from task_events e using doomed d where e.task_id = d.id
), letters as (
  delete from dead_letters l using doomed d where l.task_id = d.id
), releases as (
  delete from task_releases r using doomed d where r.task_id = d.id
), gone as (
  delete from crawl_tasks t using doomed d where t.id = d.id returning t.id
)
select count(*)::int as count from gone
