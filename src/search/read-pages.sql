-- What is told of the pages $1 that were found.
-- Relies on: pages_id, the primary key of domains.
select p.id as "pageId", p.url, d.domain, p.title, p.crawled_at as "crawledAt"
  from pages p join domains d on d.id = p.domain_id
 where p.id = any($1::bigint[]) and not p.is_noindex and p.gone_at is null
