-- Up to $9 due URLs, domain after domain, each in the order in which they are taken: of domain $1 (null: of all)
-- with priority $7 and depth $8 (null: any), after the one of domain $2 with priority $3 and depth $4 that was found
-- at $5 (in microseconds) and has hash $6. Each way in which one can come after another is a branch of its own, so that every branch
-- begins where it should and throws nothing away; before the first there is domain 0.
-- Relies on: urls_frontier.
select u.domain_id as "domainId", u.url_hash as hash, u.url,
       (select d.domain from domains d where d.id = u.domain_id) as domain,
       case when u.state <> 'never_crawled' then u.state::text
            when u.retry_at is null then 'due' else 'waiting' end as state,
       u.priority, u.depth, u.is_seed as "isSeed", u.is_image as "isImage", u.discovered_at as "discoveredAt",
       (extract(epoch from u.discovered_at) * 1000000)::bigint as "foundAt", u.last_crawled_at as "lastCrawledAt",
       u.next_crawl_at as "nextCrawlAt", u.retry_at as "retryAt", (extract(epoch from u.retry_at) * 1000000)::bigint as "triedAt",
       u.http_status as "httpStatus", u.error_count as "errorCount", u.last_outcome as "lastOutcome"
  from ((select * from urls
          where domain_id = $2 and state = 'never_crawled' and retry_at is null
            and priority = $3::smallint and depth = $4::smallint and discovered_at >= 'epoch'::timestamptz + $5::bigint * interval '1 microsecond'
            and (discovered_at, url_hash) > ('epoch'::timestamptz + $5 * interval '1 microsecond', $6::bytea)
            and ($7::smallint is null or priority = $7) and ($8::smallint is null or depth = $8)
          order by discovered_at, url_hash limit $9)
        union all
        (select * from urls
          where domain_id = $2 and state = 'never_crawled' and retry_at is null
            and priority = $3 and depth > $4
            and ($7::smallint is null or priority = $7) and ($8::smallint is null or depth = $8)
          order by depth, discovered_at, url_hash limit $9)
        union all
        (select * from urls
          where domain_id = $2 and state = 'never_crawled' and retry_at is null and priority < $3
            and ($7::smallint is null or priority = $7) and ($8::smallint is null or depth = $8)
          order by priority desc, depth, discovered_at, url_hash limit $9)
        union all
        (select * from urls
          where domain_id > $2 and ($1::bigint is null or domain_id = $1)
            and state = 'never_crawled' and retry_at is null
            and ($7::smallint is null or priority = $7) and ($8::smallint is null or depth = $8)
          order by domain_id, priority desc, depth, discovered_at, url_hash limit $9)) as u
 order by u.domain_id, u.priority desc, u.depth, u.discovered_at, u.url_hash
 limit $9
