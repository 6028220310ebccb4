-- A new user; no row: there is one of that name. A password that was generated has an end.
-- Relies on: the unique index of users.
insert into users (username, role, password_hash, password_expires_at, created_at, updated_at)
values ($1, $2, $3, forager_now() + $4 * interval '1 second', forager_now(), forager_now())
on conflict (username) do nothing
returning username, role, is_enabled as "isEnabled", password_expires_at is not null as "mustChangePassword",
       password_expires_at as "passwordExpiresAt", created_at as "createdAt", updated_at as "updatedAt",
       last_login_at as "lastLoginAt"
