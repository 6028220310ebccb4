-- Leases that have run out are free again, at most $1 at a time; whoever held them is fenced out.
-- Its last requests may be newer than its last commit: the delay counts from now.
-- Relies on: domains_lease_ends.
with expired as (
  select id from domains
   where claimed_by is not null and claim_expires_at <= forager_now()
   order by claim_expires_at
   limit $1
     for update skip locked
)
update domains d
   set claimed_by = null, claim_expires_at = null, version = d.version + 1, last_crawled_at = forager_now(),
       updated_at = forager_now()
  from expired e
 where d.id = e.id
returning d.id
