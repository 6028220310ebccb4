-- The next $4 products of domain $1 after the hash $2 are searched in the language $3. Answers the last of them.
-- Relies on: the unique index of products.
with portion as materialized (
  select p.id, p.url_hash
    from products p
   where p.domain_id = $1 and p.url_hash > $2::bytea
   order by p.url_hash
   limit $4
     for no key update
), changed as (
  update products p set search_language = $3::text from portion t
   where p.id = t.id and p.search_language is distinct from $3
)
select url_hash as "urlHash" from portion order by url_hash desc limit 1
