-- Whether somebody has to be let in at the first start: nobody is there, or the only administrator has never used the
-- password that was printed, and it has ended.
-- Relies on: nothing; there are few users.
select not exists (select from users) as "isEmpty",
       (select min(username) from users where role = 'admin' and is_enabled
        having count(*) = 1 and bool_and(last_login_at is null and password_expires_at <= forager_now())) as "idleAdmin"
