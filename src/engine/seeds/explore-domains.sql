-- Somebody has named domains $1 as sites to crawl: they are not there for their tasks only any more.
-- Relies on: the primary key of domains.
update domains set is_explored = true where id = any($1::bigint[]) and not is_explored
