-- A message that nobody could understand, unless it is among the last hundred that nobody has seen to yet.
-- Parameters: $1 queue, $2 reason, $3 what it said.
-- Relies on: dead_letters_open.
insert into dead_letters (queue, reason, payload, created_at)
select $1, $2, $3::jsonb, forager_now()
 where not exists (
   select
     from (select queue, reason, payload from dead_letters where requeued_at is null order by id desc limit 100) as recent
    where recent.queue = $1 and recent.reason = $2 and recent.payload = $3::jsonb)
