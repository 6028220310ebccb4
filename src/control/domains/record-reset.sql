-- Records a reset of domain $1 that moved it nowhere, because it was pending already.
-- Relies on: the primary key of domains.
with reset as (
  update domains set status_code = 'reset' where id = $1 returning id, next_crawl_after
)
insert into domain_events (domain_id, at, from_status, to_status, code, reason, actor, next_crawl_after)
select id, forager_now(), 'pending', 'pending', 'reset', nullif(current_setting('forager.reason', true), ''),
       current_setting('forager.actor', true), next_crawl_after
  from reset
