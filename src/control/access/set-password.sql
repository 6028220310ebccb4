-- Gives a user another password; one that was generated has an end. The old hash, where it is given, must still hold.
-- Relies on: the primary key of users.
update users
   set password_hash = $2, password_expires_at = forager_now() + $3 * interval '1 second', updated_at = forager_now()
 where id = $1 and ($4::text is null or password_hash = $4)
returning password_expires_at as "passwordExpiresAt"
