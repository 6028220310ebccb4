-- Failures of the proxies of domain $1 are forgotten (of proxy $2 alone; all: null). What somebody switched off stays
-- off.
-- Relies on: the primary key of domain_proxies.
update domain_proxies
   set is_active = is_active or disabled_by = 'failures',
       disabled_by = nullif(disabled_by, 'failures'),
       disabled_at = case when disabled_by = 'failures' then null else disabled_at end,
       retry_at = null, failure_count = 0, outages_count = 0, updated_at = forager_now()
 where domain_id = $1 and ($2::bigint is null or proxy_id = $2)
   and (disabled_by = 'failures' or failure_count > 0 or outages_count > 0)
