-- What somebody with power did.
-- Relies on: nothing.
insert into audit_log (at, actor, action, target, details, address, request_id)
values (forager_now(), $1, $2, $3, $4, $5, $6)
