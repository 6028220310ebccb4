-- Whether proxies concern anybody: there are some, or one of domains $1 insists on one, or on one of a country.
-- Relies on: the primary keys of proxies and domains.
select exists (select from proxies)
    or exists (select from domains where id = any($1::bigint[]) and (proxy_mode = 'required' or proxy_country is not null)) as "isConcerned"
