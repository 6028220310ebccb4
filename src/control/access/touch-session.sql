-- A session was used; somebody who is just noting the same is not waited for.
-- Relies on: the primary key of sessions.
update sessions set last_seen_at = forager_now()
 where id = (select id from sessions where id = $1 and last_seen_at < forager_now() - interval '1 minute'
                for update skip locked)
