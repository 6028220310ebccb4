-- The next $8 pages after page $7 of domain $6, in the order of domains and ids, each with whether it is to go:
-- up to id $1, of domain $2, with HTTP status $3, gone or not as $4 says, last read before $5. Null means: any.
-- Relies on: pages_domain.
select p.domain_id as "domainId", p.id,
       p.id <= $1 and ($3::smallint is null or p.http_status = $3)
         and ($4::boolean is null or (p.gone_at is not null) = $4)
         and ($5::timestamptz is null or p.crawled_at < $5) as "isToGo"
  from pages p
 where (p.domain_id, p.id) > ($6::bigint, $7::bigint) and ($2::bigint is null or p.domain_id = $2)
 order by p.domain_id, p.id
 limit $8
