-- Jobs that bots could have by now, counted up to $1, and the bots that there are and that have asked for work in the
-- last ten minutes. Jobs of domains that are switched off wait for a person.
-- Relies on: the primary key of domains, bot_queues, crawl_tasks_bot_pending; bots are few.
select (select count(*)::int
          from (select
                  from bot_queues q
                  join domains d on d.id = q.domain_id and d.is_active
                  join crawl_tasks t on t.domain_id = q.domain_id and t.status = 'pending' and not t.is_waiting
                   and t.executor = 'bot' and t.scheduled_at <= forager_now()
                 limit $1) as due) as "dueJobs",
       (select count(*)::int from bots where revoked_at is null) as bots,
       (select count(*)::int from bots
         where revoked_at is null and last_pull_at > forager_now() - interval '10 minutes') as "activeBots"
