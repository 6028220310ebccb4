-- The hosts, as written, that the rows of domains after $1 and up to $2 speak of, how many rows speak of each,
-- and the name of the domain they hang on, if it is still there. What a host's domain is called is not decided here.
-- Relies on: the primary keys of urls, pages and domains, crawl_log_url.
select h.domain_id as "domainId", d.domain, h.host,
       coalesce(d.claimed_by is not null and d.claim_expires_at > forager_now(), false) as "isLeased",
       count(*) filter (where h.kind = 'u')::int as urls,
       count(*) filter (where h.kind = 'p')::int as pages,
       count(*) filter (where h.kind = 'l')::int as fetches
  from (select 'u' as kind, domain_id, split_part(url, '/', 3) as host
          from urls where domain_id > $1 and domain_id <= $2
        union all
        select 'p', domain_id, split_part(url, '/', 3) from pages where domain_id > $1 and domain_id <= $2
        union all
        select 'l', domain_id, split_part(url, '/', 3) from crawl_log where domain_id > $1 and domain_id <= $2
       ) as h
  left join domains d on d.id = h.domain_id
 group by h.domain_id, d.id, h.host
 order by h.domain_id, h.host
