-- The job $1 of this minute, unless somebody has done it: no row, nothing to do.
-- Relies on: the primary key of upkeep_jobs.
insert into upkeep_jobs (name, ran_at) values ($1, forager_now())
on conflict (name) do update set ran_at = excluded.ran_at
 where date_trunc('minute', upkeep_jobs.ran_at, 'UTC') < date_trunc('minute', forager_now(), 'UTC')
returning name
