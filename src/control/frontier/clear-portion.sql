-- Takes up to $4 URLs of domain $1 out of the frontier that were found before $3: due ones, waiting ones, or both ($2 is
-- due, waiting or all). What has a page is only not due any more; the rest is forgotten, and told.
-- Relies on: urls_frontier, urls_retry, the primary keys of urls and pages.
with chosen as materialized (
  (select url_hash from urls
    where $2::text <> 'waiting' and domain_id = $1 and state = 'never_crawled' and retry_at is null
      and discovered_at <= $3::timestamptz
    limit $4)
  union all
  (select url_hash from urls
    where $2 <> 'due' and domain_id = $1 and state = 'never_crawled' and retry_at is not null
      and discovered_at <= $3
    limit $4)
), portion as materialized (
  select c.url_hash, exists (select from pages p where p.domain_id = $1 and p.url_hash = c.url_hash) as has_page
    from chosen c limit $4
), kept as (
  update urls u set state = 'fetched', retry_at = null, error_count = 0
    from portion p
   where p.has_page and u.domain_id = $1 and u.url_hash = p.url_hash
  returning null::text as url, false as is_counted, false as is_image
), gone as (
  delete from urls u using portion p
   where not p.has_page and u.domain_id = $1 and u.url_hash = p.url_hash
  returning u.url, not u.is_seed and u.redirect_count = 0 and not u.is_image as is_counted, u.is_image
)
select url, is_counted as "isCounted", is_image as "isImage" from gone
union all
select url, is_counted, is_image from kept
