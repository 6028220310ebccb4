-- Whether anything in the database is encrypted.
-- Relies on: nothing: looks for one row. Of proxies there may be many, and those without a password come to an end.
select exists (select from webhooks) or exists (select from proxies where proxy_password is not null) as "hasSecrets"
