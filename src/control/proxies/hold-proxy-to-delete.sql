-- Proxy $1, which is about to go. Asked for at once, not as more of a lock that is held already: whoever has just noted
-- what came through it must be able to go on.
-- Relies on: the primary key of proxies.
select id, proxy_protocol as protocol, proxy_url as host, proxy_port as port, proxy_username as username
  from proxies where id = $1 for update
