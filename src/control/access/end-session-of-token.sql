-- Ends the session of a cookie.
-- Relies on: sessions_token_hash_key.
delete from sessions where token_hash = $1
