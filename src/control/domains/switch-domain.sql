-- Switches domain $1 on or off ($2). The row is locked already.
-- Relies on: the primary key of domains.
update domains set is_active = $2, updated_at = forager_now() where id = $1 and is_active <> $2
