-- Pages after number $1 whose text is still to be taken, or to be removed, at most $2.
-- Relies on: pages_search_due, the primary key of warc_segments.
select p.id, p.domain_id as "domainId", p.url_hash as "urlHash", p.url, p.language, p.title, p.description,
       p.content_hash as "contentHash", p.crawled_at as "crawledAt", p.content_length as "contentLength",
       not (p.is_noindex or p.gone_at is not null) and p.content_hash is not null as "isWanted",
       s.name as segment, p.segment_offset as "segmentOffset", p.segment_length as "segmentLength"
  from pages p
  left join warc_segments s on s.id = p.segment_id
 where (case when p.is_noindex or p.gone_at is not null then null else p.content_hash end) is distinct from p.search_hash
   and p.id > $1
 order by p.id
 limit $2
