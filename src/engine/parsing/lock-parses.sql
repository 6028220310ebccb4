-- The fence: of tasks $3, those that parser $1 still has in its lot $2, locked. One that a person has paused or
-- cancelled meanwhile, or that is in other hands by now, is missing, and nothing may be written for it.
-- Relies on: the primary key of crawl_tasks. Their domains are locked already.
select t.id from crawl_tasks t
 where t.id = any($3::bigint[]) and t.status = 'parsing' and t.locked_by = $1 and t.lock_version = $2
 order by t.id
   for update
