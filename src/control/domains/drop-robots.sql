-- Forgets every robots.txt of domain $1: they are asked for again.
delete from domain_robots where domain_id = $1
