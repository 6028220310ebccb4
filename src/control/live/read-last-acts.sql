-- The numbers of the last acts, highest first: where a feed begins, and which numbers are missing there.
-- Relies on: the primary key of audit_log.
select id from audit_log order by id desc limit $1
