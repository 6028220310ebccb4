-- The $1 domains with the most due URLs.
-- Relies on: urls_frontier, read from one end to the other.
select d.domain, b.due
  from (select domain_id, count(*)::bigint as due
          from urls where state = 'never_crawled' and retry_at is null
         group by domain_id order by count(*) desc, domain_id limit $1) as b
  join domains d on d.id = b.domain_id
 order by b.due desc, d.domain
