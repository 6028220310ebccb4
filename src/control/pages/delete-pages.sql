-- Of pages $6, those that are still to go by what $1 to $5 say: up to id $1, of domain $2, with HTTP status $3, gone
-- or not as $4 says, last read before $5. Their URLs lose what would make a site answer that nothing has changed;
-- where $7, they are due at once, as if they were new. Answers how many went, by domain and run.
-- Relies on: pages_id, the primary key of urls. Their domains must be locked already.
with deleted as (
  delete from pages p
   where p.id = any($6::bigint[])
     and p.id <= $1 and ($2::bigint is null or p.domain_id = $2) and ($3::smallint is null or p.http_status = $3)
   and ($4::boolean is null or (p.gone_at is not null) = $4)
   and ($5::timestamptz is null or p.crawled_at < $5)
  returning p.domain_id, p.url_hash, p.run_id, p.images_count
), forgotten as (
  update urls u
     set etag = null, last_modified = null, content_hash = null, simhash = null,
         state = case when $7::boolean then 'never_crawled' else u.state end,
         retry_at = case when $7 then null else u.retry_at end,
         error_count = case when $7 then 0 else u.error_count end,
         miss_count = case when $7 then 0 else u.miss_count end
    from deleted x
   where u.domain_id = x.domain_id and u.url_hash = x.url_hash
)
select domain_id as "domainId", run_id as "runId", count(*)::int as pages, sum(images_count)::int as images
  from deleted
 group by domain_id, run_id
