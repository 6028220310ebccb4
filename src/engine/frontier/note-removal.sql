-- URLs were removed in this transaction.
-- Relies on: the primary key of url_removals, which has one row at most.
insert into url_removals (times_count) values (1)
on conflict (is_only) do update set times_count = url_removals.times_count + 1
