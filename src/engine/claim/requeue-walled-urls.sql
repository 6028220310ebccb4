-- Everything read from domains $1, which was behind a login, is to be read again now.
-- Relies on: urls_refresh.
update urls set next_crawl_at = forager_now()
 where domain_id = any($1::bigint[]) and state = 'fetched' and miss_count = 0
