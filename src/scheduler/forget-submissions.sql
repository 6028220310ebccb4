-- Up to $2 answers to what bots have handed in that are older than $1 days go: nobody hands that in again.
-- Relies on: bot_submissions_at, the primary key of bot_submissions.
with old as (
  select lock_token from bot_submissions
   where at < forager_now() - $1::int * interval '1 day'
   order by at
   limit $2
     for update skip locked
)
delete from bot_submissions s using old where s.lock_token = old.lock_token
