-- The search server was told of the keys $2 of the kinds $1 in the versions $3: what has changed since stays.
-- Relies on: the primary keys of search_outbox and search_rejects.
with told as (select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as t (kind, key, version)),
forgiven as (delete from search_rejects r using told t where r.kind = t.kind and r.key = t.key)
delete from search_outbox o using told t where o.kind = t.kind and o.key = t.key and o.version = t.version
