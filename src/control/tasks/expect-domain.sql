-- Whether there is a domain of the number $1.
-- Relies on: the primary key of domains.
select from domains where id = $1
