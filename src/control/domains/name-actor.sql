-- Who acts in this transaction ($1), and why ($2): the record of moves takes it from here.
-- Relies on: nothing.
select set_config('forager.actor', $1, true), set_config('forager.reason', $2, true)
