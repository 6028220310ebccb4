-- Deletes failed logins that no longer count.
-- Relies on: nothing; there are few of them.
delete from login_throttles where window_ends_at <= forager_now()
