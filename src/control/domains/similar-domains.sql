-- Names that somebody who typed $1 (of parent domain $2) may have meant; the caller ranks them. Bounded: it only
-- serves an error message.
-- Relies on: nothing: reads every domain.
select domain
  from domains
 where parent_domain = $2 or abs(length(domain) - length($1)) <= 3
    or position($1 in domain) > 0 or position(domain in $1) > 0
 order by (parent_domain = $2) desc, pages_crawled desc
 limit 20000
