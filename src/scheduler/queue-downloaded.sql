-- Of tasks $1, whose domains are locked: what was downloaded and forgotten is left to a parser.
-- Relies on: the primary key of crawl_tasks.
with forgotten as (
  select id from crawl_tasks
   where id = any($1::bigint[]) and status = 'downloaded'
     and updated_at <= forager_now() - interval '1 minute'
   order by id
     for update skip locked
)
update crawl_tasks t
   set status = 'queued_parse', moved_by = 'scheduler', move_reason = 'its worker went no further'
  from forgotten
 where t.id = forgotten.id
returning t.id, t.domain_id as "domainId", t.priority
