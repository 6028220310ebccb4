-- What suggestions for $1 are looked up by.
-- Relies on: nothing.
select search_key($1) as key
