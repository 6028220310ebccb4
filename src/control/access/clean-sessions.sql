-- Deletes sessions that have ended.
-- Relies on: sessions_expiry.
delete from sessions where expires_at <= forager_now()
