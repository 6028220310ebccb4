-- The domain of policy $1, held against changes until the end of the transaction: before the policy, as everywhere.
-- Relies on: the primary keys of crawl_policies and domains.
select d.id, d.domain from domains d
 where d.id = (select p.domain_id from crawl_policies p where p.id = $1)
   for update of d
