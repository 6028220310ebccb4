-- Job $1 with all that handing it in touches, locked in the order that everybody keeps: its domain (against being
-- removed), its policy, the job itself. No row: there is none.
-- Relies on: the primary keys of crawl_tasks, domains and crawl_policies.
with place as materialized (
  select t.id, t.domain_id, t.policy_id from crawl_tasks t where t.id = $1 and t.executor = 'bot'
), domain as materialized (
  select d.id from domains d where d.id = (select p.domain_id from place p) for key share
), policy as materialized (
  select p.id from crawl_policies p
   where p.id = (select p.policy_id from place p) and (select count(*) from domain) = 1
     for no key update
)
select t.id, t.domain_id as "domainId", t.policy_id as "policyId", t.url, t.url_hash as "urlHash", t.wanted,
       t.retry_count as "retryCount", t.max_retries as "maxRetries",
       case when t.status = 'locked' then t.locked_by end as "lockedBy",
       case when t.status = 'locked' then t.lock_version::text end as "lockToken",
       t.status = 'locked' and t.locked_until <= forager_now() as "isRunOut",
       greatest(0, extract(epoch from forager_now() - t.locked_at) * 1000)::bigint as "workMs"
  from crawl_tasks t
 where t.id = (select p.id from place p) and (select count(*) from domain) = 1 and (select count(*) from policy) >= 0
   for update
