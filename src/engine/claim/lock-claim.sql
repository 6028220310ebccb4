-- Locks domain $1 if worker $2 still holds it under epoch $3.
-- Relies on: the primary key of domains.
select from domains where id = $1 and claimed_by is not distinct from $2 and version = $3 for update
