-- How many errors from $1 until $2 (of domain $3; any: null), by category, by code and by domain the $4 most frequent,
-- and by day. Of more than $5 the latest.
-- Relies on: error_logs_at, error_logs_domain.
with counted as materialized (
  select category, code, domain_id, occurred_at
    from error_logs
   where occurred_at >= $1 and occurred_at < $2 and ($3::bigint is null or domain_id = $3)
   order by occurred_at desc
   limit $5
)
select (select count(*) from counted) as total,
       (select min(occurred_at) from counted) as "countedFrom",
       (select coalesce(jsonb_object_agg(category, count), '{}')
          from (select category, count(*) from counted group by category) as c) as categories,
       (select coalesce(jsonb_agg(jsonb_build_object('code', code, 'category', category, 'count', count)
                                  order by count desc, code, category), '[]')
          from (select code, category, count(*) from counted group by code, category
                 order by count(*) desc, code, category limit $4) as c) as codes,
       (select coalesce(jsonb_agg(jsonb_build_object('domain', d.domain, 'count', c.count)
                                  order by c.count desc, d.domain), '[]')
          from (select domain_id, count(*) from counted group by domain_id
                 order by count(*) desc, domain_id limit $4) as c
          join domains d on d.id = c.domain_id) as domains,
       (select coalesce(jsonb_object_agg(day, count), '{}')
          from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)
                  from counted group by 1) as c) as days
