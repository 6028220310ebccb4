-- Batches, the newest first, behind batch $1: all, or only number $2, those named $3, those with $4 in their name.
-- Relies on: the primary key of crawl_batches, crawl_batches_name.
select id, name, paused_at is not null as "isPaused", paused_at as "pausedAt", created_by as "createdBy",
       created_at as "createdAt"
  from crawl_batches
 where ($1::bigint is null or id < $1)
   and ($2::bigint is null or id = $2)
   and ($3::text is null or name = $3)
   and ($4::text is null or position(lower($4) in lower(name)) > 0)
 order by id desc
 limit $5
