-- Whether there is an alert $1.
-- Relies on: the primary key of alerts.
select id from alerts where id = $1
