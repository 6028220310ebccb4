-- Domain $1 knows $2 pages less. The row is locked already.
-- Relies on: the primary key of domains.
update domains
   set pages_discovered = greatest(0, pages_discovered - $2::bigint), updated_at = forager_now()
 where id = $1
