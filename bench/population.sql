-- Fills a migrated database with bench.domains domains and bench.urls URLs, in the states of a fleet that has
-- been at work for a while. The same numbers give the same rows.
--   of 100 domains: 60 exhausted, 5 blocked, 3 unreachable, 2 resting, 10 leased by other workers,
--   20 to be claimed, one in eleven of them for another run than the standing one
--   half of the URLs lie on one domain in a hundred, the other half is spread evenly
--   the first ten domains and forty ordinary ones are leased by bench.committer, who has pages to write
set synchronous_commit = off;

insert into crawl_runs (id, crawl_key, settings) overriding system value values (1, '\x01', '{}');

insert into domains (domain, parent_domain, base_url, status, status_code, block_reason_code, claimed_by,
                     claim_expires_at, version, pages_discovered, pages_crawled, priority_score, seed_rank,
                     first_seen_at, last_crawled_at, next_crawl_after, last_crawl_run_id, run_id)
select d.name, d.name, 'https://' || d.name,
       case when d.kind < 60 then 'exhausted' when d.kind < 65 then 'blocked' when d.kind < 68 then 'unreachable'
            when d.kind < 85 then 'active' else 'pending' end::domain_status,
       case when d.kind < 60 then 'all_done' when d.kind < 65 then 'forbidden' when d.kind < 68 then 'dns_failure'
            when d.kind < 85 then 'claimed' else 'seeded' end,
       case when d.kind between 60 and 64 then 'forbidden' when d.kind between 65 and 67 then 'dns_failure' end,
       case when d.is_committed then current_setting('bench.committer')
            when d.kind between 70 and 79 then 'worker-' || d.id % 20 end,
       case when d.is_committed or d.kind between 70 and 79 then forager_now() + interval '1 day' end,
       case when d.kind < 85 then 1 else 0 end,
       d.urls_count,
       case when d.kind < 60 then d.urls_count when d.kind < 85 then d.urls_count * 2 / 5 else 0 end,
       d.id * 7919 % 5000, d.id, forager_now() - interval '90 days',
       case when d.kind < 85 then forager_now() - d.id % 14 * interval '1 day' end,
       case when d.kind < 70 and not d.is_committed then forager_now() + (1 + d.id % 14) * interval '1 day' end,
       case when d.kind < 85 then d.run_id end, d.run_id
  from (select id, 'site-' || id || '.example' as name, is_committed,
               -- 19 shares no factor with 100: every hundred domains have every kind once
               case when is_committed then 70 else id * 19 % 100 end as kind,
               case when not is_committed and id * 19 % 100 >= 80 and id % 11 = 0 then 1 else 0 end as run_id,
               urls / domains / 2 + case when id <= domains / 100 then urls / 2 / (domains / 100) else 0 end
                 as urls_count
          from (select id, domains, urls,
                       id <= 10 or id between domains / 2 + 1 and domains / 2 + 40 as is_committed
                  from (select current_setting('bench.domains')::bigint as domains,
                               current_setting('bench.urls')::bigint as urls) as size,
                       generate_series(1, domains) as id) as numbered) as d
 order by d.id;

-- The standing order has a row for whatever was claimed before, a run for all that it was given.
insert into crawl_run_domains (run_id, domain_id, is_seed, pages_count)
select run_id, id, run_id <> 0, pages_crawled from domains where status <> 'pending' or run_id <> 0;

insert into urls (domain_id, url_hash, url, depth, priority, state, http_status, discovered_at,
                  last_crawled_at, next_crawl_at, last_outcome, content_hash, simhash, visits_count)
select u.id, u.hash, u.url, 1 + u.n % 4, 1 + u.n % 3, case when u.is_read then 'fetched' else 'never_crawled' end::url_state,
       case when u.is_read then 200 end, forager_now() - interval '60 days',
       case when u.is_read then forager_now() - u.n % 14 * interval '1 day' end,
       case when u.is_read then forager_now() + u.n % 14 * interval '1 day' end,
       case when u.is_read then 'page' end,
       case when u.is_read then u.hash end, case when u.is_read then u.id * 1000003 + u.n end,
       case when u.is_read then 1 else 0 end
  from (select d.id, n, written.url, sha256(convert_to(written.url, 'UTF8')) as hash,
               d.status = 'exhausted' or d.status <> 'pending' and n % 5 < 2 as is_read
          from domains d,
               generate_series(1, d.pages_discovered) as n,
               lateral (select d.base_url || '/section-' || n % 8 || '/the-name-of-a-page-' || n || '.html' as url)
                 as written) as u;

insert into pages (domain_id, url_hash, url, run_id, depth, http_status, content_type, charset, content_length,
                   transfer_length, content_hash, simhash, title, text_length, links_count, crawl_duration_ms)
select domain_id, url_hash, url, 0, depth, 200, 'text/html', 'utf-8', 20480, 20480, content_hash, simhash,
       'The title of a page as long as titles are', 9000, 40, 120
  from urls where state = 'fetched'
 limit nullif(current_setting('bench.pages'), '')::bigint;

insert into crawl_log (domain_id, url_hash, url, run_id, fetched_at, outcome, http_status, duration_ms,
                       bytes_count, worker_id)
select domain_id, url_hash, url, 0, last_crawled_at, 'page', 200, 120, 20480, 'worker-' || domain_id % 20
  from urls where state = 'fetched';
