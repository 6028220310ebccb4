-- Proxy $1 goes, with what domains have seen of it.
-- Relies on: the primary key of proxies; domain_proxies_proxy and the primary key of proxy_usage for what goes with it.
delete from proxies where id = $1
