-- Run $1 goes on, under the limits of the command that resumes it.
-- Relies on: the primary key of crawl_runs.
update crawl_runs
   set status = 'running', end_reason = null, settings = $2, max_pages = $3, max_pages_per_domain = $4,
       updated_at = forager_now()
 where id = $1
returning id, pages_count
