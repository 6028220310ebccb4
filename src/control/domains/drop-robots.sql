-- Forgets every robots.txt of domain $1: they are asked for again.
-- Relies on: the primary key of domain_robots.
delete from domain_robots where domain_id = $1
