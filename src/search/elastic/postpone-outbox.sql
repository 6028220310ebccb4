-- The keys $2 of the kinds $1 are told again, later each time: after 1, 2, 4 … seconds, at most five minutes.
-- Relies on: the primary key of search_outbox.
update search_outbox o
   set attempts_count = o.attempts_count + 1,
       due_at = forager_now() + least(300, power(2, least(o.attempts_count, 10))) * interval '1 second'
  from unnest($1::text[], $2::bigint[]) as t (kind, key)
 where o.kind = t.kind and o.key = t.key
