-- What the search server is to be told next, at most $1.
-- Relies on: search_outbox_due.
select o.kind, o.key, o.version
  from search_outbox o
 where o.due_at <= forager_now()
 order by o.due_at, o.version
 limit $1
