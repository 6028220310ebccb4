-- Forgets the failures of one subject.
-- Relies on: the primary key of login_throttles.
delete from login_throttles where subject = $1
