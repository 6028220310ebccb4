-- Domain $1 goes to state $2 for reason $3; the database refuses a move that is not legal.
-- Relies on: the primary key of domains.
update domains set status = $2::domain_status, status_code = $3 where id = $1
