-- A key and whose it is, held until the end of the transaction.
-- Relies on: the primary key of api_keys, the primary key of users.
select k.user_id as "userId", coalesce(u.role, k.role) as role, k.revoked_at as "revokedAt", k.name, k.prefix, u.username
  from api_keys k left join users u on u.id = k.user_id
 where k.id = $1
   for update of k
