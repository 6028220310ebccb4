-- Ends one session of a user, and nobody else's.
-- Relies on: the primary key of sessions.
delete from sessions where id = $1 and user_id = $2
