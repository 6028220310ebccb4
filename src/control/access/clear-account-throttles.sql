-- Forgets the failures of an account, from everywhere: of subject $1 and of all that begin with it and a space.
-- Relies on: nothing; there are few of them, and it is a person who asks for it.
delete from login_throttles where subject = $1 or starts_with(subject, $1 || ' ')
