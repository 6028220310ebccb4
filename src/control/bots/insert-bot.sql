-- A new bot; no row: there is, or was, one of that name.
-- Relies on: the unique index of bots.
insert into bots (bot_id, description, domains, max_locks, max_jobs_per_hour, created_by, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, forager_now(), forager_now())
on conflict (bot_id) do nothing
returning id
