-- How many pages up to id $1 are of domain $2, with HTTP status $3, gone or not as $4 says, last read before $5.
-- Null means: any.
-- Relies on: with a domain, pages_domain; otherwise it reads the table.
select count(*) as count
  from pages p
 where p.id <= $1 and ($2::bigint is null or p.domain_id = $2) and ($3::smallint is null or p.http_status = $3)
   and ($4::boolean is null or (p.gone_at is not null) = $4)
   and ($5::timestamptz is null or p.crawled_at < $5)
