-- Sitemaps of domain $1 that could not be read are due again; with $2 those that were read too.
-- Relies on: the primary key of domain_sitemaps.
update domain_sitemaps set state = 'due', note = null
 where domain_id = $1 and (state = 'failed' or (state = 'done' and $2))
