-- Domain $1 has no queued tasks left that nobody has taken. Its row must be locked already.
-- Relies on: the primary key of domains.
update domains set task_priority = null where id = $1 and task_priority is not null
