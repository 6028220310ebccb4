-- Proxy $1 was checked, and was seen from outside as $2 (null: nobody said).
-- Relies on: the primary key of proxies.
update proxies set checked_at = forager_now(), exit_address = coalesce($2::inet, exit_address)
 where id = $1
returning checked_at as "checkedAt"
