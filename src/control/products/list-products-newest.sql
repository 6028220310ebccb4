-- Products by their numbers, the newest first, below number $1 (from the beginning: null), at most $2.
-- Relies on: the primary keys of products and domains.
select p.id, p.url, d.domain, p.name, trim_scale(p.price)::text as price, p.currency, p.availability, p.source,
       p.task_id as "taskId", p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt",
       p.updated_at as "updatedAt"
  from (select * from products where id < coalesce($1::bigint, 9223372036854775807) order by id desc limit $2) as p
  join domains d on d.id = p.domain_id
 order by p.id desc
