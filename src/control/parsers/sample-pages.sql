-- Kept pages of domain $1, at most $2 on which a product is known, then others until there are $3 in all. In the order of
-- the hashes of their URLs, which has nothing to do with anything: a sample, and the same one each time.
-- Relies on: the primary key of pages, the unique index of products.
with known as (
  select p.url_hash, true as "hasProduct"
    from products o
    join pages p on p.domain_id = o.domain_id and p.url_hash = o.url_hash
   where o.domain_id = $1 and p.segment_id is not null and p.gone_at is null
   order by p.url_hash
   limit $2
), others as (
  select p.url_hash, false as "hasProduct"
    from pages p
   where p.domain_id = $1 and p.segment_id is not null and p.gone_at is null
     and not exists (select from known k where k.url_hash = p.url_hash)
   order by p.url_hash
   limit $3
), chosen as (
  (select * from known) union all (select * from others limit greatest($3 - (select count(*) from known), 0))
)
select p.url, p.language, p.content_type as "contentType", c."hasProduct", s.name as segment,
       p.segment_offset as "segmentOffset", p.segment_length as "segmentLength"
  from chosen c
  join pages p on p.domain_id = $1 and p.url_hash = c.url_hash
  join warc_segments s on s.id = p.segment_id
 order by p.url_hash
