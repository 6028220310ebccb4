-- Gives domain $1 back, held by worker $2 under epoch $3, in state $4.
-- An exhausted domain must truly have nothing left: URLs admitted meanwhile keep it active.
-- Relies on: urls_frontier and urls_retry for the check.
update domains d
   set claimed_by = null,
       claim_expires_at = null,
       version = d.version + 1,
       status = case
         when $4::domain_status = 'exhausted'
          and exists (select from urls u where u.domain_id = d.id and u.state = 'never_crawled')
         then 'active' else $4::domain_status end,
       block_reason_code = $5,
       block_reason = $6,
       first_blocked_at = case when $5::text is null then null else coalesce(d.first_blocked_at, now()) end,
       next_crawl_after = now() + $7::float8 * interval '1 millisecond',
       updated_at = now()
 where d.id = $1 and d.claimed_by = $2 and d.version = $3
returning d.status
