-- Domains $1 have $2 pages and $3 images less. Where $4, their URLs are due: an exhausted one has work again; any
-- other is in its queue already, or must not be crawled for a reason that this does not change.
-- Relies on: the primary key of domains.
update domains d
   set pages_crawled = greatest(d.pages_crawled - v.pages, 0),
       images_found = greatest(d.images_found - v.images, 0),
       status = case when $4::boolean and d.status = 'exhausted' then 'pending' else d.status end,
       status_code = case when $4 and d.status = 'exhausted' then 'new_urls' else d.status_code end,
       next_crawl_after = case when $4 and d.status = 'exhausted' then null else d.next_crawl_after end,
       updated_at = forager_now()
  from unnest($1::bigint[], $2::int[], $3::int[]) as v (id, pages, images)
 where d.id = v.id
