-- Where tasks $1 belong: their domains and policies, which are locked before they are.
-- Relies on: the primary key of crawl_tasks.
select id, domain_id as "domainId", policy_id as "policyId" from crawl_tasks where id = any($1::bigint[])
