-- Parser $1 takes up to $2 tasks whose bodies wait to be parsed into its hands, the most urgent first: for $3
-- milliseconds, as its lot $4. With where the bodies are, and the rules of their domains. One that another parser was lost
-- with is taken alone: if that happens again, it is known with which.
-- Relies on: crawl_tasks_to_parse, the primary keys of crawl_tasks, domains and warc_segments.
with first as materialized (
  select t.id, t.lost_count > 0 as is_alone from crawl_tasks t
   where t.status = 'queued_parse' and t.scheduled_at <= forager_now()
   order by t.priority, t.scheduled_at, t.id
   limit 1
     for update of t skip locked
), chosen as (
  select t.id from crawl_tasks t
   where t.status = 'queued_parse' and t.scheduled_at <= forager_now()
     and (t.lost_count = 0 or t.id = (select f.id from first f))
   order by t.priority, t.scheduled_at, t.id
   limit case when (select f.is_alone from first f) then 1 else $2 end
     for update of t skip locked
), taken as (
  update crawl_tasks t
     set status = 'parsing', locked_by = $1, lock_version = $4,
         locked_until = forager_now() + $3::float8 * interval '1 millisecond', moved_by = $1, move_reason = null
    from chosen c
   where t.id = c.id
  returning t.*
)
select t.id, t.domain_id, t.url, t.url_hash, t.final_url, t.http_status, t.response_time_ms, t.fetched_at,
       t.retry_count, t.max_retries, t.follow_depth, t.follow_limit, t.segment_id, t.segment_offset, t.segment_length,
       s.name as segment, d.domain, d.parent_domain, d.scope, d.include, d.exclude, d.max_depth, d.is_explored,
       d.parser_name, d.images_mode
  from taken t
  join domains d on d.id = t.domain_id
  left join warc_segments s on s.id = t.segment_id
 order by t.priority, t.scheduled_at, t.id
