-- Whoever held a lease on domains $1 that has run out can write nothing more about them: their rows were moved.
-- Relies on: the primary key of domains.
update domains
   set claimed_by = null, claim_expires_at = null, version = version + 1, updated_at = forager_now()
 where id = any($1::bigint[]) and claimed_by is not null
