-- Whether anything in the database is encrypted.
-- Relies on: nothing: looks for one row.
select exists (select from webhooks) as "hasSecrets"
