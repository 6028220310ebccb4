-- An index of the name $2 is being built for the kind $1.
-- Relies on: the primary key of search_reindexes.
insert into search_reindexes (kind, index_name, started_at) values ($1, $2, forager_now())
on conflict (kind) do update set index_name = excluded.index_name, after_id = 0, started_at = excluded.started_at
