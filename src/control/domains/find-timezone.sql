-- The time zone that goes by the name $1, in whichever letters, as the database writes it.
-- Relies on: nothing: reads the names that the server knows.
select name from pg_timezone_names where lower(name) = lower($1) and name !~ '^(posix|right)/|^(posixrules|localtime)$'
