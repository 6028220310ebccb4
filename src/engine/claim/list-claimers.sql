-- Who holds leases now.
-- Relies on: domains_claimed.
select distinct claimed_by from domains where claimed_by is not null
