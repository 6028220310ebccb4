-- Up to $1 tasks whose time has come, all of the most urgent priority that has any, the longest due first; none of
-- domains $2, which somebody else has in hand at the moment.
-- One priority at a time: of each of the ten the index tells by one look whether anything is due.
-- Relies on: crawl_tasks_due.
select t.id, t.domain_id as "domainId"
  from (select p.priority from generate_series(1, 10) as p (priority)
         where exists (select from crawl_tasks w
                        where w.status = 'pending' and not w.is_waiting and w.executor = 'forager'
                          and w.priority = p.priority and w.scheduled_at <= forager_now()
                          and w.domain_id <> all($2::bigint[]))
         order by p.priority limit 1) as best,
       lateral (select w.id, w.domain_id from crawl_tasks w
                 where w.status = 'pending' and not w.is_waiting and w.executor = 'forager'
                   and w.priority = best.priority and w.scheduled_at <= forager_now()
                   and w.domain_id <> all($2::bigint[])
                 order by w.scheduled_at, w.id
                 limit $1) as t
