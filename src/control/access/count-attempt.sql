-- Counts an attempt to log in before it is known to fail; no row: there were too many already. Whoever comes at the
-- same moment waits for this row, so that no two are counted as one.
-- Relies on: the primary key of login_throttles.
insert into login_throttles as t (subject, failures_count, window_ends_at)
values ($1, 1, forager_now() + $3 * interval '1 second')
on conflict (subject) do update
   set failures_count = case when t.window_ends_at <= forager_now() then 1 else t.failures_count + 1 end,
       window_ends_at = case when t.window_ends_at <= forager_now() then excluded.window_ends_at
                             else t.window_ends_at end
 where t.window_ends_at <= forager_now() or t.failures_count < $2
returning t.failures_count as "failures"
