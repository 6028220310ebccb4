-- Changes what bot $1 may do: what is named in $2.
-- Relies on: the unique index of bots.
update bots
   set description = case when $2::jsonb ? 'description' then $2->>'description' else description end,
       domains = case when not $2 ? 'domains' then domains
                      when jsonb_typeof($2->'domains') = 'array'
                        then (select array_agg(d order by d) from jsonb_array_elements_text($2->'domains') as d) end,
       max_locks = case when $2 ? 'maxLocks' then ($2->>'maxLocks')::int else max_locks end,
       max_jobs_per_hour = case when $2 ? 'maxJobsPerHour' then ($2->>'maxJobsPerHour')::int
                                else max_jobs_per_hour end,
       updated_at = forager_now()
 where bot_id = $1
returning id
