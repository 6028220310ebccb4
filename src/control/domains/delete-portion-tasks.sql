-- Removes up to $2 tasks of domain $1 with their histories and dead letters. Answers how many went.
-- Relies on: crawl_tasks_domain, crawl_tasks_parent, dead_letters_task; the primary keys of task_events and crawl_tasks.
with doomed as materialized (
  select id from crawl_tasks where domain_id = $1 limit $2
), events as (
  delete from task_events e using doomed d where e.task_id = d.id
), letters as (
  delete from dead_letters l using doomed d where l.task_id = d.id
), gone as (
  delete from crawl_tasks t using doomed d where t.id = d.id returning t.id
)
select count(*)::int as count from gone
