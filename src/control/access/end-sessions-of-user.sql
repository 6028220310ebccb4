-- Ends all sessions of a user.
-- Relies on: sessions_user.
delete from sessions where user_id = $1
