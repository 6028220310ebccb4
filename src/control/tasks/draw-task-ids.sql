-- Numbers for $1 new tasks: known beforehand, so that tasks can name each other.
-- Relies on: nothing.
select nextval('crawl_tasks_id_seq') as id from generate_series(1, $1)
