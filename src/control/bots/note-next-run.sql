-- The answer that was given under lock $1 says when policy $2 runs again, which the move of its task has set.
-- Relies on: the primary keys of bot_submissions and crawl_policies.
update bot_submissions s
   set answer = s.answer || jsonb_build_object('policy_next_run',
                  to_char(p.next_run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from crawl_policies p
 where s.lock_token = $1 and p.id = $2
returning s.answer
