-- Before tasks of domains $1 (only those of host $2, where it is not null) are moved to domains $3: where a page would
-- have two that are not over, the one that was there first stays, and the others are cancelled. Whoever waited for one
-- of those waits for the one that stays; where that one waits for it, by way of others too, it waits for nobody.
-- Relies on: crawl_tasks_one_live, crawl_tasks_waiting, the primary key of crawl_tasks.
with recursive coming as (
  select m.to_id, t.id, t.url_hash
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as m (from_id, host, to_id)
    join crawl_tasks t on t.domain_id = m.from_id and (m.host is null or m.host = split_part(t.url, '/', 3))
   where t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
), alike as (
  select to_id, id, url_hash from coming
  union all
  select t.domain_id, t.id, t.url_hash
    from (select distinct to_id, url_hash from coming) as c
    join crawl_tasks t on t.domain_id = c.to_id and t.url_hash = c.url_hash
   where t.status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked')
), ranked as (
  select id, first_value(id) over (partition by to_id, url_hash order by id) as kept_id from alike
), lesser as (
  select id, kept_id from ranked where id <> kept_id
), waiting as (
  select c.id, l.kept_id from lesser l join crawl_tasks c on c.parent_task_id = l.id and c.is_waiting
), above (kept_id, id) as (
  select kept_id, kept_id from waiting
  union
  select a.kept_id, coalesce(l.kept_id, t.parent_task_id)
    from above a
    join crawl_tasks t on t.id = a.id and t.is_waiting
    left join lesser l on l.id = t.parent_task_id
), changes as (
  select coalesce(l.id, w.id) as id, l.id is not null as is_lesser, w.id is not null as is_rehung,
         case when not exists (select from above a where a.kept_id = w.kept_id and a.id = w.id) then w.kept_id end
           as parent_id
    from lesser l full join waiting w on w.id = l.id
)
update crawl_tasks t
   set status = case when c.is_lesser then 'cancelled' else t.status end,
       moved_by = case when c.is_lesser then 'backfill' else t.moved_by end,
       move_reason = case when c.is_lesser then 'its page has another task, of another spelling' else t.move_reason end,
       parent_task_id = case when c.is_rehung then c.parent_id else t.parent_task_id end
  from changes c
 where t.id = c.id
