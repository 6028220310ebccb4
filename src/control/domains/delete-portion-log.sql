-- Removes the fetches of up to $2 URLs of domain $1 from the log, whatever day they are from.
-- Relies on: crawl_log_url.
delete from crawl_log
 where domain_id = $1 and url_hash in (select url_hash from crawl_log where domain_id = $1 limit $2)
