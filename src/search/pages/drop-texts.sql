-- The texts of the pages $1 go, where the pages are gone or ask not to be indexed.
-- Relies on: pages_id, the primary key of page_texts.
with locked as materialized (
  select p.id, p.domain_id, p.url_hash
    from pages p
   where p.id = any($1::bigint[]) and (p.is_noindex or p.gone_at is not null or p.content_hash is null)
   order by p.domain_id, p.url_hash
     for update of p skip locked
), dropped as (
  delete from page_texts t using locked l where t.domain_id = l.domain_id and t.url_hash = l.url_hash
)
update pages p set search_hash = null from locked l where p.domain_id = l.domain_id and p.url_hash = l.url_hash
