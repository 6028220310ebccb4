-- Which of these places (protocol, host, port, user name) are known, and the numbers of the proxies there.
-- Relies on: proxies_place.
select p.id, p.proxy_protocol as protocol, p.proxy_url as host, p.proxy_port as port, p.proxy_username as username
  from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as v (protocol, host, port, username)
  join proxies p on p.proxy_protocol = v.protocol and p.proxy_url = v.host and p.proxy_port = v.port
   and coalesce(p.proxy_username, '') = coalesce(v.username, '')
