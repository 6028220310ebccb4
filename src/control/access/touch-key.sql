-- A key was used; somebody who is just noting the same is not waited for.
-- Relies on: the primary key of api_keys.
update api_keys set last_used_at = forager_now()
 where id = (select id from api_keys
              where id = $1 and (last_used_at is null or last_used_at < forager_now() - interval '1 minute')
                for update skip locked)
