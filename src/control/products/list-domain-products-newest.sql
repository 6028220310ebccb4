-- Products of domain $3 by their numbers, the newest first, below number $1 (from the beginning: null), at most $2. The domain is given
-- as a range and is part of the order: the planner has no other way than along the index.
-- Relies on: products_domain, the primary key of domains.
select p.id, p.url, d.domain, p.name, trim_scale(p.price)::text as price, p.currency, p.availability, p.source,
       p.task_id as "taskId", p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt",
       p.updated_at as "updatedAt"
  from (select * from products
         where (domain_id, id) < ($3::bigint, coalesce($1::bigint, 9223372036854775807)) and domain_id >= $3
         order by domain_id desc, id desc
         limit $2) as p
  join domains d on d.id = p.domain_id
 order by p.id desc
