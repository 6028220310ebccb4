-- New proxies, those that are not there yet: protocol, host, port, user name, sealed password (one of each), and for all
-- of them shared $6, country $7, city $8, provider $9, monthly cost $10, requests an hour $11, active $12; made by $13.
-- In the order of their places, so that two who add the same ones do not wait for each other in a circle.
-- Relies on: proxies_place.
insert into proxies (proxy_protocol, proxy_url, proxy_port, proxy_username, proxy_password, is_shared, country_code,
                     city, provider, monthly_cost, max_requests_per_hour, is_active, disabled_by, disabled_at,
                     created_by, created_at, updated_at)
select v.protocol, v.host, v.port, v.username, v.password, $6::boolean, $7, $8, $9, $10::numeric, $11::int,
       $12::boolean, case when not $12 then $13 end, case when not $12 then forager_now() end,
       $13, forager_now(), forager_now()
  from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::bytea[])
       as v (protocol, host, port, username, password)
 order by v.protocol, v.host, v.port, coalesce(v.username, '')
on conflict (proxy_protocol, proxy_url, proxy_port, coalesce(proxy_username, '')) do nothing
returning id, proxy_protocol as protocol, proxy_url as host, proxy_port as port, proxy_username as username
