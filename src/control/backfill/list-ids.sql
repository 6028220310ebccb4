-- The domains after $1 and up to $2, and of those that are leased the name.
-- Relies on: the primary key of domains.
select id, case when claimed_by is not null and claim_expires_at > forager_now() then domain end as "leasedName"
  from domains where id > $1 and id <= $2 order by id
