-- Whether somebody has logged in to an account from a network in the last weeks.
-- Relies on: audit_log_action.
select exists (select from audit_log
                where action = 'login.succeeded' and at > forager_now() - interval '30 days'
                  and target = $1 and details ->> 'network' = $2) as "isKnown"
