drop trigger alerts_tell_resolved on alerts;
drop trigger alerts_tell_raised on alerts;
drop trigger domains_tell_blocked on domains;
drop function tell_of_alert;
drop function tell_of_blocked_domain;
drop table crawl_tasks;
drop function record_task_moves;
drop function record_new_tasks;
drop function date_task_move;
drop function tell_webhooks;
drop table schedulers;
alter table workers drop column duties;
drop table webhook_attempts;
drop table webhook_deliveries;
drop table webhooks;
drop table dead_letters;
drop table error_logs;
drop table task_events;
drop table task_status_moves;
drop table task_releases;
drop table crawl_policies;
drop table crawl_batches;
delete from domain_status_moves where code = 'task_due';
drop function maintenance_ends;
drop index domains_with_maintenance;
drop index domains_with_tasks;
alter table domains
  drop column task_priority,
  drop column is_explored,
  drop column maintenance_start,
  drop column maintenance_end,
  drop column maintenance_timezone;
drop type task_status;
