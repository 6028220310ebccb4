-- Of the URLs of domains $1 with hashes $2, those that were never read come with priority $3 from now on, if that is
-- sooner; where $4, as seeds. Their domains are locked already.
-- Relies on: the unique index on domain, the primary key of urls.
update urls u
   set priority = g.priority, is_seed = u.is_seed or g.is_seed
  from (select d.id, v.url_hash, v.priority, v.is_seed
          from unnest($1::text[], $2::bytea[], $3::smallint[], $4::boolean[])
               as v (domain, url_hash, priority, is_seed)
          join domains d on d.domain = v.domain) as g
 where u.domain_id = g.id and u.url_hash = g.url_hash and u.state = 'never_crawled' and u.priority < g.priority
