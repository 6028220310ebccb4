-- Worker $2, which holds domain $1 under epoch $3, takes up to $4 of its queued tasks into its hands, the most urgent
-- first; but none for the URLs $5, which it has in its hands already. With what is known of their URLs from earlier.
-- One that several workers were lost with is taken alone: if that happens again, it is known with which.
-- The domain's row must be locked already: what is queued while we look would be overlooked.
-- Relies on: crawl_tasks_queued, the primary keys of crawl_tasks and urls.
with first as materialized (
  select t.id, t.lost_count >= 3 as is_alone
    from crawl_tasks t
   where t.domain_id = $1 and t.status = 'queued' and t.url_hash <> all($5::bytea[])
   order by t.priority, t.scheduled_at, t.id
   limit 1
), chosen as (
  select t.id
    from crawl_tasks t
   where t.domain_id = $1 and t.status = 'queued' and t.url_hash <> all($5::bytea[])
     and (t.lost_count < 3 or t.id = (select f.id from first f))
   order by t.priority, t.scheduled_at, t.id
   limit case when (select f.is_alone from first f) then 1 else $4 end
     for update of t
), taken as (
  update crawl_tasks t
     set status = 'crawling', locked_by = $2, lock_version = $3, moved_by = $2, move_reason = null
    from chosen c
   where t.id = c.id
  returning t.id, t.domain_id, t.url_hash, t.url, t.priority, t.scheduled_at, t.retry_count, t.max_retries,
            t.follow_depth, t.follow_limit, t.redirect_count
)
select t.id as task_id, t.url_hash, t.url, t.retry_count, t.max_retries, t.follow_depth, t.follow_limit,
       t.redirect_count, coalesce(u.depth, 0)::smallint as depth, coalesce(u.priority, 3)::smallint as priority,
       coalesce(u.is_seed, false) as is_seed, coalesce(u.error_count, 0)::smallint as error_count,
       u.etag, u.last_modified, coalesce(u.state::text, 'never_crawled') as state, u.content_hash, u.refresh_seconds,
       coalesce(u.miss_count, 0)::smallint as miss_count
  from taken t
  left join urls u on u.domain_id = t.domain_id and u.url_hash = t.url_hash
 order by t.priority, t.scheduled_at, t.id
