-- Pages that were not found where they were, or were found to be something else by now; those of $4 are gone for
-- good.
-- Relies on: the primary key of pages.
update pages p
   set missing_since = coalesce(p.missing_since, v.missed_at),
       gone_at = case when v.is_gone then coalesce(p.gone_at, v.missed_at) end
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[], $4::boolean[])
       as v (domain_id, url_hash, missed_at, is_gone)
 where p.domain_id = v.domain_id and p.url_hash = v.url_hash
