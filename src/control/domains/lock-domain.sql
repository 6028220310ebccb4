-- Domain $1 as it is, held against changes until the end of the transaction.
-- Relies on: the primary key of domains.
select status::text as status, block_reason as reason, block_reason_code as "reasonCode",
       claimed_by as "claimedBy", claimed_by is not null and claim_expires_at > forager_now() as "isClaimed",
       is_active as "isActive",
       case when next_crawl_after > forager_now() then next_crawl_after end as "restsUntil"
  from domains where id = $1 for update
