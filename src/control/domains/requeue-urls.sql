-- URLs of domain $1 that failed, were blocked or wait for another attempt are due again; with $2 those that
-- were fetched too.
-- Relies on: the primary key of urls (one partition, one domain).
with requeued as (
  update urls u
     set state = 'never_crawled', error_count = 0, retry_at = null
    from (select url_hash, state from urls where domain_id = $1) as was
   where u.domain_id = $1 and u.url_hash = was.url_hash
     and (u.state in ('failed', 'blocked') or (u.state = 'fetched' and $2)
          or (u.state = 'never_crawled' and (u.retry_at is not null or u.error_count > 0)))
  returning was.state
)
select state::text as state, count(*)::int as count from requeued group by state
