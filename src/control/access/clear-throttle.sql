-- Forgets the failed logins of an account or address.
-- Relies on: the primary key of login_throttles.
delete from login_throttles where subject = $1
