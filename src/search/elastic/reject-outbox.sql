-- The search server will not take the keys $2 of the kinds $1 in the versions $3, for the reasons $4.
-- Relies on: the primary keys of search_outbox and search_rejects.
with refused as (
  select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) as t (kind, key, version, reason)
), noted as (
  insert into search_rejects (kind, key, reason, at) select kind, key, reason, forager_now() from refused
  on conflict (kind, key) do update set reason = excluded.reason, at = excluded.at
)
delete from search_outbox o using refused t where o.kind = t.kind and o.key = t.key and o.version = t.version
