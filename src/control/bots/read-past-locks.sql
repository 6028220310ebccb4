-- Whether bot $2, whose name is $3, has ever had job $1, and what it has handed in for it: under lock $4, or last of all
-- where none is named.
-- Relies on: the primary key of task_events, bot_submissions_task.
select l.at is not null or s.lock_token is not null as "wasHeld", s.digest, s.answer,
       -- It has had the job again since: that lock is the one that is meant.
       $4::bigint is null and coalesce(l.at > s.at, false) as "isOlder"
  from (select max(e.at) as at from task_events e
         where e.task_id = $1 and e.to_status = 'locked' and e.actor = 'bot:' || $3) as l
  left join lateral (
    select s.lock_token, s.digest, s.answer, s.at
      from bot_submissions s
     where s.task_id = $1 and s.bot_id = $2 and ($4::bigint is null or s.lock_token = $4)
     order by s.lock_token desc
     limit 1
  ) as s on true
