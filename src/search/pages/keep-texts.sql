-- The texts of pages, as they were read when they had the hash of $8 and the description $9: what has changed since stays due. Locks the pages
-- in the order of their keys, and none that somebody else has in hand.
-- Relies on: the primary keys of pages, page_texts and domains.
with given as (
  select * from unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
                       $8::bytea[], $9::text[])
           as g (domain_id, url_hash, page_id, language, title, text, crawled_at, content_hash, description)
), locked as materialized (
  select p.domain_id, p.url_hash
    from pages p join given g on g.domain_id = p.domain_id and g.url_hash = p.url_hash
   where p.content_hash = g.content_hash
     and (p.title, p.description, p.language) is not distinct from (g.title, g.description, g.language) and not p.is_noindex and p.gone_at is null
   order by p.domain_id, p.url_hash
     for update of p skip locked
), kept as (
  insert into page_texts (domain_id, url_hash, page_id, language, title, text, crawled_at)
  select g.domain_id, g.url_hash, g.page_id, coalesce(d.language, g.language), g.title, g.text, g.crawled_at
    from given g
    join locked l on l.domain_id = g.domain_id and l.url_hash = g.url_hash
    join domains d on d.id = g.domain_id
  on conflict (domain_id, url_hash) do update
     set page_id = excluded.page_id, language = excluded.language, title = excluded.title, text = excluded.text,
         crawled_at = excluded.crawled_at
)
update pages p
   set search_hash = g.content_hash
  from given g join locked l on l.domain_id = g.domain_id and l.url_hash = g.url_hash
 where p.domain_id = g.domain_id and p.url_hash = g.url_hash
