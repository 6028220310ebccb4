-- Ends the session of a cookie.
-- Relies on: the unique index of sessions.
delete from sessions where token_hash = $1
