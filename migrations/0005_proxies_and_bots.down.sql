drop trigger domains_wake_bot_queue on domains;
drop function wake_bot_queue;
drop trigger crawl_tasks_note_bot_jobs on crawl_tasks;
drop trigger crawl_tasks_note_new_bot_jobs on crawl_tasks;
drop function note_bot_jobs;
drop function note_new_bot_jobs;
drop table price_points;
drop table products;
drop table crawl_results;
drop table bot_submissions;
drop sequence bot_lock_tokens;
drop index crawl_tasks_locked_by;
drop index crawl_tasks_locked;
drop index crawl_tasks_bot_pending;
create index crawl_tasks_for_bots on crawl_tasks (priority, scheduled_at, id)
  where status = 'pending' and not is_waiting and executor = 'bot';
drop table bot_queues;
alter table crawl_policies drop column wanted;
alter table crawl_tasks drop column wanted;
drop table bot_hours;
-- Keys of bots are nobody's without them.
delete from api_keys where bot_id is not null;
alter table api_keys drop constraint api_keys_of_bot, drop column bot_id;
drop table bots;
alter table crawl_log drop column proxy_id;
drop table proxy_usage;
drop table domain_proxies;
drop table proxies;
drop index domains_without_proxy;
alter table domains
  drop column proxy_mode,
  drop column proxy_country,
  drop column proxy_rotation,
  drop column proxy_requests_per_hour;
