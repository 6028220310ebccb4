-- The passwords, encrypted, of the proxies that are active. Proxies are few.
-- Relies on: nothing.
select proxy_password as password from proxies where is_active and proxy_password is not null
