-- The periodic job $1, unless somebody has done it within the last $2 seconds: no row, nothing to do.
-- Relies on: the primary key of upkeep_jobs.
insert into upkeep_jobs (name, ran_at) values ($1, forager_now())
on conflict (name) do update set ran_at = excluded.ran_at
 where upkeep_jobs.ran_at <= forager_now() - $2::int * interval '1 second'
returning name
