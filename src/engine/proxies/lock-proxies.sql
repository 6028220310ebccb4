-- Whoever grants requests through a proxy is alone with it: what others were granted meanwhile is seen afterwards.
-- Relies on: the primary key of proxies.
select id from proxies where id = any($1::bigint[]) order by id for no key update
