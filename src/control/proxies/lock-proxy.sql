-- Proxy $1 as it is, held against changes until the end of the transaction; what only refers to it is not held up.
-- Relies on: the primary key of proxies.
select id, proxy_protocol as protocol, proxy_url as host, proxy_port as port, proxy_username as username,
       proxy_password is not null as "hasPassword", is_shared as "isShared", is_active as "isActive",
       max_requests_per_hour as "maxRequestsPerHour", country_code as "countryCode"
  from proxies where id = $1 for no key update
