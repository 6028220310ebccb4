-- Leases up to $4 domains of run $1's queue (but not $6) to worker $2 for $3 milliseconds and raises their
-- fencing epoch. Each is told how many pages of the run it may bring it to (pages_allowed): at most $7 more of a
-- limited run, at most $5 in all, and of a standing order (one with turns of $8 pages) one turn. Where $9, a
-- domain's own max_pages_per_run counts: as the limit of a crawl, or the length of a turn.
-- Order: whoever has not had its turn, resume before start (active first), by score, the least recently crawled.
-- Relies on: domains_claimable (claimable rows only, in this order); the primary key of crawl_run_domains.
with candidates as (
  select d.id, d.last_crawled_at, coalesce(m.pages_count, 0) as pages_count, coalesce(m.is_seed, false) as is_seed,
         least(coalesce(m.pages_count, 0) + $7::bigint, $5::bigint,
               case when $8::bigint is null then case when $9::boolean then d.max_pages_per_run end
                    else coalesce(m.pages_count, 0)
                         + coalesce(case when $9::boolean then d.max_pages_per_run end, $8::bigint) end)
           as pages_allowed
    from domains d
    left join crawl_run_domains m on m.run_id = $1 and m.domain_id = d.id
   where d.run_id = $1 and d.status in ('pending', 'active') and d.is_active
     and d.claimed_by is null and d.next_crawl_after is null
     and d.id <> all($6::bigint[])
     and maintenance_ends(d.maintenance_start, d.maintenance_end, d.maintenance_timezone, forager_now()) is null
     and coalesce(m.pages_count < least($5::bigint, case when $9::boolean and $8::bigint is null
                                                         then d.max_pages_per_run end), true)
   order by coalesce(d.yielded_at, '-infinity'::timestamptz), (d.status = 'active') desc, d.priority_score desc,
            d.last_crawled_at nulls first, d.id
   limit $4
     for update of d skip locked
), members as (
  insert into crawl_run_domains (run_id, domain_id, pages_allowed)
  select $1, c.id, c.pages_allowed from candidates c order by c.id
  on conflict (run_id, domain_id) do update set pages_allowed = excluded.pages_allowed
)
update domains d
   set claimed_by = $2,
       claim_expires_at = forager_now() + $3::float8 * interval '1 millisecond',
       version = d.version + 1,
       status = 'active',
       status_code = 'claimed',
       yielded_at = null,
       last_crawl_run_id = $1,
       last_crawled_at = forager_now(),
       updated_at = forager_now()
  from candidates c
 where d.id = c.id
returning d.id, d.domain, d.parent_domain, d.version, d.crawl_delay_ms, d.max_concurrent_requests,
          d.user_agent, d.consecutive_error_count, d.consecutive_throttle_count, d.is_refreshing, d.scope,
          d.include, d.exclude, d.max_depth, d.is_explored, d.parser_name, d.images_mode,
          d.source is distinct from 'image' as has_pages,
          d.task_priority is not null as has_tasks, c.pages_count as run_pages_count, c.pages_allowed, c.is_seed,
          extract(epoch from forager_now() - c.last_crawled_at)::float8 * 1000 as idle_ms
