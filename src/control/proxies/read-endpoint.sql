-- How one enters proxy $1; the password is sealed.
-- Relies on: the primary key of proxies.
select id, proxy_protocol as protocol, proxy_url as host, proxy_port as port, proxy_username as username,
       proxy_password as password, is_active as "isActive", disabled_by as "disabledBy"
  from proxies where id = $1
