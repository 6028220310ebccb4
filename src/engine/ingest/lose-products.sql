-- Pages that were read at $3 have no product on them any more: which of those given had one that a parser had found.
-- Relies on: the unique index of products. Their domains are locked already.
update products p
   set missing_since = coalesce(p.missing_since, least(v.seen_at, forager_now()))
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) with ordinality as v (domain_id, url_hash, seen_at, ordinal)
 where p.domain_id = v.domain_id and p.url_hash = v.url_hash and p.parser_name is not null
   and p.last_seen_at <= least(v.seen_at, forager_now())
returning v.ordinal::int as ordinal
