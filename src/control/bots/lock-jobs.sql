-- Locks up to $4 jobs of domains $3, whose turn it is, for bot $1, whose name is $2. Of each domain as many as may be
-- under way at once ($5 where it says nothing itself), of the bot as many as it may hold ($6); for $7 seconds where its
-- policy says nothing. The most urgent first, then one of each domain, then the next ones. Then the queues of the
-- domains are told when there is more. One that is full is out of the order until a lock of it is freed or runs out, or
-- it would keep those behind it from ever being seen. Whoever frees a lock holds its job: we hold all jobs that fill the
-- domain, so that they come after us and find what we leave; where we cannot, somebody is at it, and we look again soon.
-- One that rests is out of it until the domain changes, or its rest is over. What a site has asked us to wait (429,
-- Retry-After) holds for bots as well; that our own crawler is refused there, or cannot reach it, or has no proxy for
-- it, says nothing of bots.
-- A statement of its own: what others have locked before it was our turn must be seen. Waits for nobody.
-- Relies on: crawl_tasks_bot_pending, crawl_tasks_locked, crawl_tasks_locked_by, and the primary keys of domains, crawl_tasks, bot_queues, bots, bot_hours and crawl_policies.
with turns as materialized (
  select u.domain_id, u.place, d.domain, d.user_agent, d.crawl_delay_ms,
         case when not d.is_active then forager_now() + interval '1 hour'
              when m.ends is not null then m.ends
              when d.status in ('pending', 'active') and d.next_crawl_after > forager_now()
                   and d.block_reason_code is distinct from 'no_proxy'
                then d.next_crawl_after
         end as rests_until,
         l.count as locked_count, greatest(0, coalesce(d.max_concurrent_requests, $5::int) - l.count) as room
    from unnest($3::bigint[]) with ordinality as u (domain_id, place)
    join domains d on d.id = u.domain_id
   cross join lateral (select maintenance_ends(d.maintenance_start, d.maintenance_end, d.maintenance_timezone,
                                               forager_now())) as m (ends)
   cross join lateral (select count(*) from crawl_tasks t
                        where t.domain_id = u.domain_id and t.status = 'locked') as l
), held as materialized (
  select $6::int - count(*) as free from crawl_tasks where locked_by = $2 and status = 'locked'
), near as materialized (
  -- What could be had, and the one after: it says when there is more.
  select u.domain_id, u.place, u.rests_until, u.room, p.priority, t.id, t.scheduled_at
    from turns u
   cross join generate_series(1, 10) as p (priority)
   cross join lateral (
     select t.id, t.scheduled_at
       from crawl_tasks t
      where t.domain_id = u.domain_id and t.status = 'pending' and not t.is_waiting and t.executor = 'bot'
        and t.priority = p.priority
      order by t.scheduled_at, t.id
      limit case when u.rests_until is null then least(u.room, $4::int) else 0 end + 1
   ) as t
), ranked as (
  select n.id, n.priority, n.place, n.room,
         row_number() over (partition by n.domain_id order by n.priority, n.scheduled_at, n.id) as rank
    from near n
   where n.rests_until is null and n.room > 0 and n.scheduled_at <= forager_now()
), chosen as materialized (
  select r.id, r.priority, r.place, r.rank
    from ranked r
   where r.rank <= r.room
   order by r.priority, r.rank, r.place
   limit (select greatest(0, least($4::int, h.free)) from held h)
), taken as materialized (
  select t.id, (select p.timeout_minutes * 60 from crawl_policies p where p.id = t.policy_id) as seconds
    from crawl_tasks t
   where t.id in (select c.id from chosen c) and t.status = 'pending' and not t.is_waiting
   order by t.id
     for update skip locked
), moved as (
  update crawl_tasks t
     set status = 'locked', locked_by = $2, lock_version = nextval('bot_lock_tokens'),
         locked_until = forager_now() + least(coalesce(k.seconds, $7::int), 86400) * interval '1 second',
         moved_by = 'bot:' || $2, move_reason = null
    from taken k
   where t.id = k.id
  returning t.*, least(coalesce(k.seconds, $7::int), 86400) as seconds
), after as (
  select u.domain_id, u.rests_until, u.locked_count,
         u.room - (select count(*) from moved m where m.domain_id = u.domain_id) as room,
         (select count(*) from moved m where m.domain_id = u.domain_id) as taken_count,
         min(n.priority) as best_priority, min(n.scheduled_at) as next_at
    from turns u
    left join near n on n.domain_id = u.domain_id and n.id not in (select m.id from moved m)
   group by u.domain_id, u.rests_until, u.room, u.locked_count
), filling as materialized (
  select t.domain_id, t.locked_until
    from after a
   cross join lateral (select t.domain_id, t.locked_until from crawl_tasks t
                        where t.domain_id = a.domain_id and t.status = 'locked'
                          for share skip locked) as t
   where a.room <= 0 and a.rests_until is null and a.next_at is not null
), room_at as (
  select a.domain_id,
         case when (select count(*) from filling f where f.domain_id = a.domain_id) < a.locked_count
              then forager_now() + interval '2 seconds'
              -- Those that have run out are taken back any moment, which is told.
              else coalesce((select min(l.locked_until)
                               from (select f.domain_id, f.locked_until from filling f
                                      union all select m.domain_id, m.locked_until from moved m) as l
                              where l.domain_id = a.domain_id and l.locked_until > forager_now()),
                            forager_now() + interval '1 minute')
         end as at
    from after a
   where a.room <= 0 and a.rests_until is null
), emptied as (
  delete from bot_queues q using after a where q.domain_id = a.domain_id and a.next_at is null
), told as (
  update bot_queues q
     set best_priority = a.best_priority, pulled_at = forager_now(),
         next_at = case when a.rests_until is not null then a.rests_until
                        when a.room <= 0 then greatest(a.next_at, (select r.at from room_at r
                                                                    where r.domain_id = a.domain_id))
                        else a.next_at end
    from after a
   where q.domain_id = a.domain_id and a.next_at is not null
     and (a.taken_count > 0 or a.rests_until is not null or a.room <= 0 or a.next_at > forager_now())
), counted as (
  update bots set jobs_count = jobs_count + m.count from (select count(*) from moved) as m
   where id = $1 and m.count > 0
), counted_hour as (
  update bot_hours set jobs_count = jobs_count + m.count from (select count(*) from moved) as m
   where bot_id = $1 and hour = date_trunc('hour', forager_now()) and m.count > 0
)
select h.free as "freeLocks", m.id, m.url, u.domain, m.priority, m.max_retries as "maxRetries",
       m.retry_count as "retryCount", m.seconds, m.locked_until as "lockedUntil", m.lock_version::text as "lockToken",
       m.wanted, u.user_agent as "userAgent", u.crawl_delay_ms / 1000.0::float8 as "crawlDelaySeconds"
  from held h
  left join moved m on true
  left join chosen c on c.id = m.id
  left join turns u on u.domain_id = m.domain_id
 order by c.priority, c.rank, c.place
