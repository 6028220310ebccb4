-- URLs of domain $1 that failed, were blocked or wait for another attempt are due again; with $2 those that
-- were fetched too. Where images are wanted, pages that have some and were never looked at for them are asked for in
-- full: one that is unchanged would not be sent.
-- Relies on: the primary keys of urls (one partition, one domain), domains, pages and image_provenance.
with requeued as (
  update urls u
     set state = 'never_crawled', error_count = 0, retry_at = null,
         etag = case when not was.is_sent_whole then u.etag end,
         last_modified = case when not was.is_sent_whole then u.last_modified end
    from (select k.url_hash, k.state,
                 $2 and exists (select from domains d where d.id = $1 and d.images_mode in ('products', 'all'))
                 and exists (select from pages p
                              where p.domain_id = $1 and p.url_hash = k.url_hash and p.images_count > 0)
                 and not exists (select from image_provenance v
                                  where v.page_domain_id = $1 and v.page_url_hash = k.url_hash) as is_sent_whole
            from urls k where k.domain_id = $1) as was
   where u.domain_id = $1 and u.url_hash = was.url_hash
     and (u.state in ('failed', 'blocked') or (u.state = 'fetched' and $2)
          or (u.state = 'never_crawled' and (u.retry_at is not null or u.error_count > 0)))
  returning was.state
)
select state::text as state, count(*)::int as count from requeued group by state
