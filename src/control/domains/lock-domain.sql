-- Domain $1 as it is, held against changes until the end of the transaction.
-- Relies on: the primary key of domains.
select status::text as status, block_reason as reason, block_reason_code as "reasonCode",
       case when claim_expires_at > forager_now() then claimed_by end as "claimedBy"
  from domains where id = $1 for update
