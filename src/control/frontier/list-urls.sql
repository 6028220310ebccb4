-- Up to $7 URLs in state $4 (null: any): of domain $1 (null: of all) with priority $5 and depth $6 (null: any), after
-- the one of domain $2 with hash $3; before the first there is domain 0. What comes after it in its own domain and what
-- comes in others are found each by itself: an index that is told one domain does not begin at a pair.
-- Relies on: the primary key of urls.
select u.domain_id as "domainId", u.url_hash as hash, u.url,
       (select d.domain from domains d where d.id = u.domain_id) as domain,
       case when u.state <> 'never_crawled' then u.state::text
            when u.retry_at is null then 'due' else 'waiting' end as state,
       u.priority, u.depth, u.is_seed as "isSeed", u.is_image as "isImage", u.discovered_at as "discoveredAt",
       (extract(epoch from u.discovered_at) * 1000000)::bigint as "foundAt", u.last_crawled_at as "lastCrawledAt",
       u.next_crawl_at as "nextCrawlAt", u.retry_at as "retryAt", (extract(epoch from u.retry_at) * 1000000)::bigint as "triedAt",
       u.http_status as "httpStatus", u.error_count as "errorCount", u.last_outcome as "lastOutcome"
  from ((select * from urls
          where domain_id = $2::bigint and url_hash > $3::bytea
            and ($4::url_state is null or state = $4)
            and ($5::smallint is null or priority = $5) and ($6::smallint is null or depth = $6)
          order by url_hash limit $7)
        union all
        (select * from urls
          where domain_id > $2 and ($1::bigint is null or domain_id = $1)
            and ($4::url_state is null or state = $4)
            and ($5::smallint is null or priority = $5) and ($6::smallint is null or depth = $6)
          order by domain_id, url_hash limit $7)) as u
 order by u.domain_id, u.url_hash
 limit $7
