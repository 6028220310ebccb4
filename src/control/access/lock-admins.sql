-- The administrators that can log in, held until the end of the transaction: two who take one away each at the same
-- moment see one another.
-- Relies on: nothing; there are few users.
select id from users where role = 'admin' and is_enabled order by id for update
