-- Of domains $1, those nobody has been at since $2: what is being crawled meanwhile is not ours to judge.
-- Relies on: the primary key of domains.
select id from domains
 where id = any($1::bigint[])
   and not coalesce(claimed_by is not null and claim_expires_at > forager_now(), false)
   and coalesce(last_crawled_at < $2::timestamptz, true)
 order by id
