-- Nobody else adds or changes users until the end of the transaction.
-- Relies on: nothing.
lock table users in share row exclusive mode
