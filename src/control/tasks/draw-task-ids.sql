-- Numbers for $1 new tasks: known beforehand, so that tasks can name each other.
-- Relies on: nothing.
select nextval(pg_get_serial_sequence('crawl_tasks', 'id')) as id from generate_series(1, $1)
