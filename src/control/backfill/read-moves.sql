-- Every legal move of a domain, with its reason.
-- Relies on: nothing: a few dozen rows.
select from_status as "from", to_status as "to", code from domain_status_moves order by from_status, to_status, code
