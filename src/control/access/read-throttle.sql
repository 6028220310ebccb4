-- How long whoever failed too often has to wait.
-- Relies on: the primary key of login_throttles.
select greatest(1, ceil(extract(epoch from window_ends_at - forager_now())))::int as "seconds"
  from login_throttles
 where subject = $1
