-- Why merged domains are in the state they are in, and until when they are left alone.
-- Relies on: the primary key of domains.
update domains d
   set status_code = v.status_code, block_reason = v.block_reason, block_reason_code = v.block_reason_code,
       next_crawl_after = v.next_crawl_after
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
       as v (id, status_code, block_reason, block_reason_code, next_crawl_after)
 where d.id = v.id
