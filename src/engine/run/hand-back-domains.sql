-- Run $1 is over: its domains belong to the standing order again, with what the run said belongs to them
-- (scope $2, include $3, exclude $4, depth $5) where nobody has said anything else.
-- Relies on: domains_of_run.
update domains
   set run_id = 0,
       yielded_at = null,
       scope = coalesce(scope, $2),
       include = coalesce(include, $3::text[]),
       exclude = coalesce(exclude, $4::text[]),
       max_depth = coalesce(max_depth, $5)
 where run_id = $1
