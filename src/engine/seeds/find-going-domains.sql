-- Of domains $1, those that a job which is not over is removing, with its number. Their rows are locked already, as
-- they are by whoever asks for such a job.
-- Relies on: jobs_unfinished (unfinished jobs only).
select (params->>'domainId')::bigint as "domainId", min(id) as "jobId"
  from jobs
 where finished_at is null and kind = 'delete-domain' and (params->>'domainId')::bigint = any($1::bigint[])
 group by 1
