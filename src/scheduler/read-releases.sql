-- Up to ten completed tasks for which others still wait, held against whoever else lets them go.
-- Relies on: the primary key of task_releases.
select task_id as "taskId" from task_releases order by task_id limit 10 for update skip locked
