-- The standing orders for pages that are to be fetched again and again: made, or brought up to date. Task $1 is what
-- each of them waits for now; its number among their tasks is returned. Where nobody says how often, the domain does.
-- Relies on: the unique index on domain and page, the primary key of domains.
insert into crawl_policies as p (domain_id, url, url_hash, frequency_hours, priority, max_retries, executor,
                                 next_run_at, live_task_id, last_run_at, runs_count, created_by, created_at, updated_at,
                                 follow_depth, follow_limit, wanted)
select v.domain_id, v.url, v.url_hash, s.frequency_hours, v.priority, v.max_retries, v.executor,
       s.scheduled_at + s.frequency_hours * interval '1 hour', v.task_id, forager_now(), 1, $10,
       forager_now(), forager_now(), v.follow_depth, v.follow_limit, v.wanted
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[], $5::float8[], $6::smallint[], $7::smallint[],
              $8::text[], $9::timestamptz[], $11::smallint[], $12::smallint[], $13::text[])
       as v (task_id, domain_id, url, url_hash, frequency_hours, priority, max_retries, executor, at, follow_depth,
             follow_limit, wanted)
  join domains d on d.id = v.domain_id
 cross join lateral (select greatest(v.at, forager_now()) as scheduled_at,
                            coalesce(v.frequency_hours, extract(epoch from d.default_crawl_frequency) / 3600)::float8
                              as frequency_hours) as s
 order by v.domain_id, v.url_hash
on conflict (domain_id, url_hash) do update
   set frequency_hours = excluded.frequency_hours, priority = excluded.priority, max_retries = excluded.max_retries,
       executor = excluded.executor, wanted = excluded.wanted, follow_depth = excluded.follow_depth, follow_limit = excluded.follow_limit,
       is_enabled = true, next_run_at = excluded.next_run_at,
       live_task_id = excluded.live_task_id, last_run_at = excluded.last_run_at, runs_count = p.runs_count + 1,
       updated_at = forager_now()
returning p.id, p.live_task_id as "taskId", p.runs_count - 1 as "recrawlCount"
