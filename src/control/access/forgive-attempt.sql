-- Takes one attempt back that turned out to be no failure.
-- Relies on: the primary key of login_throttles.
update login_throttles set failures_count = failures_count - 1
 where subject = $1 and failures_count > 0
