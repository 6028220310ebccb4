-- URLs of domains $1 that failed because of their domain, not of themselves: due again with it.
-- Relies on: the primary key of urls (one partition, one domain).
update urls
   set state = 'never_crawled', error_count = 0, retry_at = null
 where domain_id = any($1::bigint[])
   and state in ('failed', 'blocked')
   and last_outcome in ('unreachable', 'tls-failed', 'timeout', 'connection-lost', 'server-error', 'refused',
                        'throttled', 'robots-denied')
