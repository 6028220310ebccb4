-- From now on every change is written down for the search server $1. Answers a row where it was not known.
-- Relies on: the primary key of search_targets.
insert into search_targets (name, registered_at) values ($1, forager_now()) on conflict (name) do nothing returning name
