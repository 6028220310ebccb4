-- Changes of products, the latest first: behind moment $1 of change $2 (null: from the latest on), not behind moment $3
-- of change $4 (null: to the first), at most $5 after the first $6; since $7, of the field $8, of domain $9 (null: any).
-- What is long is told by its name only. The innermost part is a walk along one index (list-product-changes.ts puts in
-- that of domains). Nothing is drawn into it from outside its limit, which is none: the planner has no other way.
-- Relies on: product_events_at, product_events_domain, the primary keys of products and domains.
select e.id, e.product_id as "productId", p.url, d.domain, p.name, p.currency, e.at, e.source, e.task_id as "taskId",
       (select jsonb_object_agg(c.key, case when length(c.value::text) <= 2000 then c.value end)
          from jsonb_each(e.changes) as c) as changes,
       to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText"
  from (
    select l.*
      from (
        select *
          from product_events
         where /* walk */ ($1::timestamptz is null or (at, id) < ($1, $2::bigint))
           and ($3::timestamptz is null or (at, id) >= ($3, $4::bigint))
           and ($7::timestamptz is null or at >= $7)
         order by /* walk */ at desc, id desc
         limit 1000000000000
      ) as l
     where ($8::text is null or l.changes ? $8)
       and ($9::bigint is null or l.domain_id = $9)
     order by /* walk l. */ l.at desc, l.id desc
     limit $5 offset $6
  ) as e
  join products p on p.id = e.product_id
  join domains d on d.id = e.domain_id
 order by e.at desc, e.id desc
