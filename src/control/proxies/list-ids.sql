-- Numbers of proxies above $1, at most $2; where $3 only those that are active.
-- Relies on: the primary key of proxies.
select id from proxies where id > $1 and (is_active or not $3::boolean) order by id limit $2
