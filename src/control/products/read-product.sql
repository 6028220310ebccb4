-- Product $1.
-- Relies on: the primary keys of products and domains.
select p.id, p.url, d.domain, p.name, trim_scale(p.price)::text as price, p.currency, p.availability, p.data, p.source,
       p.task_id as "taskId", p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt",
       p.updated_at as "updatedAt"
  from products p
  join domains d on d.id = p.domain_id
 where p.id = $1
