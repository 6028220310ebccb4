-- Pages of domains $1 have become known: those that were there for images alone are like any other from $2 now.
-- Relies on: the primary key of domains. They are locked already.
update domains set source = $2 where id = any($1::bigint[]) and source = 'image'
