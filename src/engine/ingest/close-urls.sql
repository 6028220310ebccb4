-- Writes what became of each visited URL, and when it is to be read again. Where there is something else than a
-- page by now (is_replaced), nothing is known any more of the page that was there. Times to come were reckoned by
-- the clock of a machine that takes it for $18 now: they are set by the clock of every schedule.
-- Relies on: the primary key of urls.
update urls u
   set state = v.state::url_state,
       error_count = v.error_count,
       retry_at = v.retry_at + (forager_now() - $18::timestamptz),
       http_status = v.http_status,
       last_outcome = v.outcome,
       last_crawled_at = v.fetched_at,
       etag = v.etag,
       last_modified = v.last_modified,
       content_hash = case when not v.is_replaced then coalesce(v.content_hash, u.content_hash) end,
       simhash = case when not v.is_replaced then coalesce(v.simhash, u.simhash) end,
       next_crawl_at = v.next_crawl_at + (forager_now() - $18::timestamptz),
       refresh_seconds = v.refresh_seconds,
       miss_count = v.miss_count,
       visits_count = u.visits_count + 1,
       changes_count = u.changes_count + case when v.is_changed then 1 else 0 end
  from unnest($1::bigint[], $2::bytea[], $3::text[], $4::smallint[], $5::timestamptz[], $6::smallint[],
              $7::text[], $8::timestamptz[], $9::text[], $10::text[], $11::bytea[], $12::bigint[],
              $13::timestamptz[], $14::int[], $15::smallint[], $16::boolean[], $17::boolean[])
       as v (domain_id, url_hash, state, error_count, retry_at, http_status,
             outcome, fetched_at, etag, last_modified, content_hash, simhash,
             next_crawl_at, refresh_seconds, miss_count, is_changed, is_replaced)
 where u.domain_id = v.domain_id and u.url_hash = v.url_hash
