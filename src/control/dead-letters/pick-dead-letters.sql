-- Open dead letters after number $1, of queue $2 and domain $3 (any: null), the oldest first, at most $4: what can be
-- done with each. Of several for one URL the latest is the one to start again.
-- Relies on: dead_letters_open, dead_letters_open_queue, dead_letters_open_domain, crawl_tasks_one_live.
with picked as materialized (
  select l.id, l.task_id
    from dead_letters l
   where l.requeued_at is null and l.id > $1
     and ($2::text is null or l.queue = $2)
     and ($3::bigint is null or l.domain_id = $3)
   order by l.id
   limit $4
)
select p.id, t.id as "taskId",
       case
         when t.id is null or t.status not in ('failed', 'expired') then 'dismiss'
         when row_number() over (partition by t.domain_id, t.url_hash order by t.id desc) > 1 then 'skip'
         when exists (select from crawl_tasks x
                       where x.domain_id = t.domain_id and x.url_hash = t.url_hash
                         and x.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing',
                                          'paused', 'locked')) then 'skip'
         else 'requeue'
       end as act
  from picked p
  left join crawl_tasks t on t.id = p.task_id
 order by p.id
