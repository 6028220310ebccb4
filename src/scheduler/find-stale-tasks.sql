-- Up to $1 tasks that are in the hands of a worker which does not hold their domain any more, by the lease under which
-- it took them; none of domains $2.
-- Relies on: crawl_tasks_in_hand, the primary key of domains.
select t.id, t.domain_id as "domainId", t.policy_id as "policyId"
  from crawl_tasks t
  join domains d on d.id = t.domain_id
 where t.status = 'crawling' and t.domain_id <> all($2::bigint[])
   and (d.claimed_by is distinct from t.locked_by or d.version is distinct from t.lock_version)
 limit $1
