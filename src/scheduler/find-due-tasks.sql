-- Up to $1 tasks whose time has come, the most urgent priority first and of each the longest due; none of domains $2,
-- which somebody else has in hand at the moment. Goes on after priority $3, time $4 and number $5: what was passed over
-- is not looked at again. Of each of the ten priorities the index tells by one look whether anything is due.
-- Relies on: crawl_tasks_due, which has all that is read here.
select t.id, t.domain_id as "domainId", p.priority, t.scheduled_at::text as "scheduledAt"
  from (select n as priority from generate_series($3::int, 10) as n order by n) as p,
       lateral (select w.id, w.domain_id, w.scheduled_at from crawl_tasks w
                 where w.status = 'pending' and not w.is_waiting and w.executor = 'forager'
                   and w.priority = p.priority and w.scheduled_at <= forager_now()
                   and (w.scheduled_at, w.id) > (case when p.priority = $3 then $4::timestamptz else '-infinity' end,
                                                 case when p.priority = $3 then $5::bigint else 0 end)
                   and w.domain_id <> all($2::bigint[])
                 order by w.scheduled_at, w.id
                 limit $1) as t
 limit $1
