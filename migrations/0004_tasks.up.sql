-- Explicit orders: tasks, what they wait for and what became of them, standing orders that repeat them, and whoever
-- wants to be told.
-- Locks are taken in this order everywhere: domains (by id), policies, tasks (by id).

create type task_status as enum (
  'pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'completed', 'failed',
  'paused', 'cancelled',
  -- of tasks that bots work on: pending, locked, then completed, failed or expired
  'locked', 'expired'
);

alter table domains
  -- the best priority of its queued tasks as far as is known; null: none. Whoever gives a domain back looks again.
  add column task_priority smallint,
  -- false: it is there for its tasks only; its links and sitemaps are not followed, its pages not read again
  add column is_explored boolean not null default true,
  -- every day between these times it is left alone; over midnight where the first is the later one
  add column maintenance_start time,
  add column maintenance_end time,
  add column maintenance_timezone text not null default 'UTC',
  add constraint domains_maintenance_whole check ((maintenance_start is null) = (maintenance_end is null));

-- Those that have queued tasks and can be claimed now, the most urgent first.
create index domains_with_tasks on domains (run_id, task_priority, last_crawled_at nulls first, id)
  where status in ('pending', 'active') and is_active and claimed_by is null and next_crawl_after is null
    and task_priority is not null;
create index domains_with_maintenance on domains (id) where maintenance_start is not null;

-- The end of the maintenance window that this moment is in; null when it is in none.
create function maintenance_ends(starts time, ends time, zone text, at timestamptz) returns timestamptz
  language sql stable parallel safe
  return case
    when starts is null or starts = ends then null
    when starts < ends and (at at time zone zone)::time >= starts and (at at time zone zone)::time < ends
      then ((at at time zone zone)::date + ends) at time zone zone
    when starts > ends and (at at time zone zone)::time >= starts
      then ((at at time zone zone)::date + 1 + ends) at time zone zone
    when starts > ends and (at at time zone zone)::time < ends
      then ((at at time zone zone)::date + ends) at time zone zone
  end;

insert into domain_status_moves values
  ('exhausted', 'pending', 'task_due', 'a task of it is due');

-- Tasks that belong together: "the Black Friday crawl".
create table crawl_batches (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 255) check (name = btrim(name)),
  -- what is added to it while it is paused starts paused
  paused_at timestamptz,
  created_by text not null default 'system',
  created_at timestamptz not null default now()
);
create unique index crawl_batches_name on crawl_batches (name);

-- Standing orders: a URL, how often, and what to do when it fails.
create table crawl_policies (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  url text not null,
  url_hash bytea not null,
  frequency_hours double precision not null check (frequency_hours > 0),
  priority smallint not null default 5 check (priority between 1 and 10),
  max_retries smallint not null default 3 check (max_retries between 0 and 20),
  retry_backoff_minutes integer not null default 5 check (retry_backoff_minutes > 0),
  timeout_minutes integer not null default 10 check (timeout_minutes > 0),
  executor text not null default 'forager' check (executor in ('forager', 'bot')),
  -- of its tasks
  follow_depth smallint not null default 0 check (follow_depth between 0 and 5),
  follow_limit smallint not null default 100 check (follow_limit between 1 and 1000),
  is_enabled boolean not null default true,
  next_run_at timestamptz not null default now(),
  -- its task that is not over yet: there is one at a time
  live_task_id bigint,
  last_run_at timestamptz,
  last_success_at timestamptz,
  last_failed_at timestamptz,
  -- in a row
  failure_count integer not null default 0,
  -- tasks it has had
  runs_count bigint not null default 0,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (domain_id, url_hash)
);
create index crawl_policies_due on crawl_policies (next_run_at) where is_enabled and live_task_id is null;
create index crawl_policies_live on crawl_policies (live_task_id) where live_task_id is not null;
create index crawl_policies_next_run on crawl_policies (next_run_at, id);

create table crawl_tasks (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  url text not null,
  url_hash bytea not null,
  -- the legal moves are in task_status_moves; who made the last one, and why
  status task_status not null default 'pending',
  moved_by text not null default 'system',
  move_reason text,
  -- 1 is the most urgent
  priority smallint not null default 5 check (priority between 1 and 10),
  scheduled_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- of the current phase: fetching, or parsing again
  retry_count smallint not null default 0,
  max_retries smallint not null default 3 check (max_retries between 0 and 20),
  -- how often in a row whoever had it was gone before it was fetched, or before it was parsed
  lost_count smallint not null default 0,
  error_message text,
  executor text not null default 'forager' check (executor in ('forager', 'bot')),
  policy_id bigint references crawl_policies on delete set null,
  -- its number among the tasks of its policy, from 0 on
  recrawl_count integer not null default 0,
  batch_id bigint references crawl_batches on delete set null,
  parent_task_id bigint references crawl_tasks on delete set null,
  -- for its parent to be completed
  is_waiting boolean not null default false,
  -- the pages its page names become tasks too, that many steps deep, so many of each page
  follow_depth smallint not null default 0 check (follow_depth between 0 and 5),
  follow_limit smallint not null default 100 check (follow_limit between 1 and 1000),
  -- how many redirects from domain to domain led here
  redirect_count smallint not null default 0,
  -- what the last fetch brought
  http_status smallint,
  response_time_ms integer,
  final_url text,
  proxy_id bigint,
  fetched_at timestamptz,
  -- where its body is kept (seed: html_path); segment_id names a row of warc_segments
  segment_id integer,
  segment_offset bigint,
  segment_length integer,
  -- who has it: a worker under the lease of its domain (lock_version), a parser or a bot until locked_until
  locked_by text,
  lock_version bigint,
  locked_at timestamptz,
  locked_until timestamptz,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint crawl_tasks_waits_for_one check (not is_waiting or parent_task_id is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);

-- History stays; of what is not over there is one for each URL.
create unique index crawl_tasks_one_live on crawl_tasks (domain_id, url_hash)
  where status in ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing', 'paused', 'locked');
-- The scheduler reads this: what waits for its time, the most urgent first; those of a domain that somebody has locked
-- are passed over without a look at their rows. Bots have theirs: a million tasks that no bot pulls must not stand in
-- the way of ours.
create index crawl_tasks_due on crawl_tasks (priority, scheduled_at, id) include (domain_id)
  where status = 'pending' and not is_waiting and executor = 'forager';
create index crawl_tasks_for_bots on crawl_tasks (priority, scheduled_at, id)
  where status = 'pending' and not is_waiting and executor = 'bot';
-- A worker reads this of a domain it holds.
create index crawl_tasks_queued on crawl_tasks (domain_id, priority, scheduled_at, id) where status = 'queued';
create index crawl_tasks_in_hand on crawl_tasks (domain_id) where status = 'crawling';
create index crawl_tasks_to_parse on crawl_tasks (priority, scheduled_at, id) where status = 'queued_parse';
create index crawl_tasks_downloaded on crawl_tasks (updated_at) where status = 'downloaded';
create index crawl_tasks_locks on crawl_tasks (locked_until) where status in ('parsing', 'locked');
create index crawl_tasks_failed on crawl_tasks (domain_id, completed_at) where status = 'failed';
-- Whether a batch has had a page already; those that are not over are found by their pages.
create index crawl_tasks_batch_pages on crawl_tasks (batch_id, url_hash)
  where batch_id is not null and status in ('completed', 'failed', 'cancelled', 'expired');
create index crawl_tasks_waiting on crawl_tasks (parent_task_id, id) where is_waiting;
-- Lists.
create index crawl_tasks_status on crawl_tasks (status, id);
create index crawl_tasks_domain on crawl_tasks (domain_id, id);
create index crawl_tasks_batch on crawl_tasks (batch_id, id) where batch_id is not null;
create index crawl_tasks_parent on crawl_tasks (parent_task_id, id) where parent_task_id is not null;
create index crawl_tasks_policy on crawl_tasks (policy_id, id) where policy_id is not null;
-- Moves write every index of the table: this one costs them a tenth. One on created_at would cost as much again, and is
-- therefore missing: lists look for times by the numbers of the tasks.
create index crawl_tasks_creator on crawl_tasks (created_by, id);

-- Completed tasks for which more others wait than are let go at once: the scheduler goes on with them.
create table task_releases (
  task_id bigint primary key,
  noted_at timestamptz not null default now()
);

-- The legal moves. A move that passes through other states in one step (via) is told as all of them.
create table task_status_moves (
  from_status task_status not null,
  to_status task_status not null,
  via task_status[] not null default '{}',
  meaning text not null,
  primary key (from_status, to_status)
);
insert into task_status_moves values
  ('pending', 'queued', '{}', 'its time has come'),
  ('pending', 'locked', '{}', 'a bot has pulled it'),
  ('pending', 'paused', '{}', 'paused by a person'),
  ('pending', 'cancelled', '{}', 'cancelled by a person'),
  ('queued', 'crawling', '{}', 'a worker has taken it'),
  ('queued', 'paused', '{}', 'paused by a person'),
  ('queued', 'cancelled', '{}', 'cancelled by a person'),
  ('crawling', 'queued', '{}', 'given back, or taken from a worker that is gone'),
  ('crawling', 'pending', '{}', 'it failed and is tried again later'),
  ('crawling', 'downloaded', '{}', 'its body is kept'),
  ('crawling', 'queued_parse', '{downloaded}', 'its body is kept and left to a parser'),
  ('crawling', 'completed', '{downloaded,parsing}', 'fetched, parsed and stored'),
  ('crawling', 'failed', '{}', 'it failed for good'),
  ('crawling', 'paused', '{}', 'paused by a person'),
  ('crawling', 'cancelled', '{}', 'cancelled by a person'),
  ('downloaded', 'queued_parse', '{}', 'left to a parser'),
  ('downloaded', 'cancelled', '{}', 'cancelled by a person'),
  ('queued_parse', 'parsing', '{}', 'a parser has taken it'),
  ('queued_parse', 'cancelled', '{}', 'cancelled by a person'),
  ('parsing', 'queued_parse', '{}', 'given back, tried again later, or taken from a parser that is gone'),
  ('parsing', 'completed', '{}', 'parsed and stored'),
  ('parsing', 'failed', '{}', 'parsing failed for good'),
  ('parsing', 'paused', '{}', 'paused by a person'),
  ('parsing', 'cancelled', '{}', 'cancelled by a person'),
  ('completed', 'pending', '{}', 'restarted by a person'),
  ('completed', 'queued_parse', '{downloaded}', 'parsing restarted by a person'),
  ('completed', 'cancelled', '{}', 'cancelled by a person'),
  ('failed', 'pending', '{}', 'restarted by a person'),
  ('failed', 'queued_parse', '{downloaded}', 'parsing restarted by a person'),
  ('failed', 'cancelled', '{}', 'cancelled by a person'),
  ('paused', 'pending', '{}', 'resumed by a person'),
  ('paused', 'cancelled', '{}', 'cancelled by a person'),
  ('cancelled', 'pending', '{}', 'restarted by a person'),
  ('cancelled', 'queued_parse', '{downloaded}', 'parsing restarted by a person'),
  ('locked', 'pending', '{}', 'it failed, or its lock ran out, and it is tried again'),
  ('locked', 'completed', '{}', 'a bot has handed in its result'),
  ('locked', 'failed', '{}', 'it failed for good'),
  ('locked', 'expired', '{}', 'its lock ran out for the last time'),
  ('locked', 'cancelled', '{}', 'cancelled by a person'),
  ('expired', 'pending', '{}', 'restarted by a person'),
  ('expired', 'cancelled', '{}', 'cancelled by a person');

-- Every move of every task, in order; from_status is null for its creation.
create table task_events (
  task_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null,
  from_status task_status,
  to_status task_status not null,
  actor text not null,
  reason text,
  primary key (task_id, id)
);

-- What went wrong, of tasks and of URLs that were found. Kept for a while.
create table error_logs (
  id bigint generated always as identity primary key,
  task_id bigint,
  domain_id bigint not null,
  url text not null,
  category text not null check (category in ('network', 'http', 'robots', 'parse', 'validation', 'proxy')),
  -- the outcome of outcome.ts, or the name of the error
  code text not null,
  message text not null,
  stack text,
  http_status smallint,
  attempt smallint not null default 1,
  worker_id text,
  occurred_at timestamptz not null default now()
);
create index error_logs_at on error_logs (occurred_at, id);
create index error_logs_domain on error_logs (domain_id, occurred_at, id);
create index error_logs_category on error_logs (category, occurred_at, id);
create index error_logs_code on error_logs (code, occurred_at, id);
create index error_logs_task on error_logs (task_id, occurred_at, id) where task_id is not null;

-- Work that was given up: tasks that failed for good, and messages that nobody could understand.
create table dead_letters (
  id bigint generated always as identity primary key,
  queue text not null,
  task_id bigint,
  domain_id bigint,
  reason text not null,
  payload jsonb,
  created_at timestamptz not null default now(),
  -- by restarting the task, or by hand
  requeued_at timestamptz,
  requeued_by text
);
create index dead_letters_open on dead_letters (id) where requeued_at is null;
create index dead_letters_open_queue on dead_letters (queue, id) where requeued_at is null;
create index dead_letters_open_domain on dead_letters (domain_id, id) where requeued_at is null;
create unique index dead_letters_task on dead_letters (task_id) where task_id is not null and requeued_at is null;

-- Schedulers: who is there, and which of them leads. A lock decides that; this tells people.
create table schedulers (
  id text primary key check (length(id) between 1 and 100),
  host text not null,
  pid integer not null,
  program_version text not null,
  -- null: another one leads, and it waits
  leads_since timestamptz,
  ticks_count bigint not null default 0,
  last_tick_at timestamptz,
  last_tick_ms integer,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  stopped_at timestamptz
);

alter table workers
  -- what it does with tasks: some only fetch and leave parsing to others, some only parse
  add column duties text[] not null default '{crawl,parse}'
    check (duties <@ '{crawl,parse}' and cardinality(duties) > 0);

-- Whoever wants to be told. The secret is encrypted; the key is not in the database.
create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  description text,
  events text[] not null,
  secret bytea not null,
  -- the one before, with which messages are signed as well until then
  previous_secret bytea,
  previous_secret_until timestamptz,
  is_enabled boolean not null default true,
  -- why it was switched off, where nobody did it
  disabled_reason text,
  -- deliveries in a row that were given up
  failure_count integer not null default 0,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- the same for every attempt and replay: whoever receives it can tell that it is the same
  message_id text not null,
  event text not null,
  payload jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts_count smallint not null default 0,
  next_attempt_at timestamptz default now(),
  last_status smallint,
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  locked_by text,
  locked_until timestamptz
);
-- Senders read this of each webhook. While one has a delivery, its next attempt is at the end of that lock.
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where state = 'pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_unsent on webhook_deliveries (webhook_id, state, id) where state <> 'delivered';
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  http_status smallint,
  duration_ms integer not null,
  error text,
  -- the beginning of what was answered
  answer text,
  primary key (delivery_id, id)
);

-- Something happened: a delivery for every webhook that wants to hear of it.
create function tell_webhooks(event_name text, happened_at timestamptz, data jsonb) returns void
  language sql as $$
    insert into webhook_deliveries (webhook_id, message_id, event, payload, next_attempt_at, created_at)
    select w.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), event_name,
           jsonb_build_object('type', event_name, 'timestamp', to_jsonb(happened_at), 'data', data),
           forager_now(), forager_now()
      from webhooks w
     where w.is_enabled and event_name = any(w.events)
$$;

-- Facts that follow from a task's move, whoever makes it.
create function date_task_move() returns trigger language plpgsql as $$
begin
  new.updated_at := forager_now();
  -- What it waited for is gone with its domain: it waits for nobody.
  if new.parent_task_id is null then new.is_waiting := false; end if;
  if new.status = old.status then return new; end if;
  new.completed_at := case when new.status in ('completed', 'failed', 'cancelled', 'expired') then forager_now() end;
  if new.status = 'crawling' or new.status = 'locked' then
    new.started_at := forager_now();
    new.locked_at := forager_now();
  elsif new.status = 'parsing' then
    new.locked_at := forager_now();
  else
    new.locked_by := null;
    new.lock_version := null;
    new.locked_at := null;
    new.locked_until := null;
  end if;
  -- Fetched, begun anew, or over: whoever comes next is the first.
  if new.status in ('completed', 'pending', 'downloaded') or (new.status = 'queued_parse' and old.status <> 'parsing') then
    new.lost_count := 0;
  end if;
  if new.status = 'pending' and old.status <> 'crawling' and old.status <> 'locked' then
    new.started_at := null;
  end if;
  return new;
end $$;
create trigger crawl_tasks_date_moves before update on crawl_tasks
  for each row execute function date_task_move();

create function record_new_tasks() returns trigger language plpgsql as $$
begin
  insert into task_events (task_id, at, from_status, to_status, actor, reason)
  select id, forager_now() + (clock_timestamp() - now()), null, status, created_by, move_reason from new_tasks;
  return null;
end $$;
create trigger crawl_tasks_record_new after insert on crawl_tasks
  referencing new table as new_tasks for each statement execute function record_new_tasks();

-- What every move of a task brings with it: its place in the history, the next run of its policy, the tasks that
-- wait for it, dead letters, and whoever wants to be told. (The planner takes what was changed for a few rows, also
-- where it is thousands, and keeps its plan: the two pictures of what was changed are joined by hash, always. Tables
-- that grow are not joined but asked for the numbers that concern us, by their indexes.)
create function record_task_moves() returns trigger language plpgsql
  set enable_nestloop = off set enable_hashjoin = on set enable_mergejoin = on set enable_seqscan = off set jit = off as $$
declare
  -- So many that wait are let go here, in the transaction of whoever completes the task they wait for.
  most_released constant integer := 200;
  moves record;
  illegal record;
  waiting_ids bigint[];
  events_told text[];
begin
  select count(*) as count,
         min(n.id) filter (where m.from_status is null) as illegal_id,
         array_agg(n.id) filter (where n.status = 'completed') as completed_ids,
         count(*) filter (where n.status in ('failed', 'expired')) as failed_count,
         array_agg(n.id) filter (where o.status in ('failed', 'expired')) as revived_ids,
         array_agg(n.policy_id) filter (
           where n.policy_id is not null and n.status in ('completed', 'failed', 'cancelled', 'expired')
         ) as ended_policies,
         array_agg(n.policy_id) filter (
           where n.policy_id is not null and o.status in ('completed', 'failed', 'cancelled', 'expired')
             and n.status not in ('completed', 'failed', 'cancelled', 'expired')
         ) as restarted_policies
    into moves
    from new_tasks n
    join old_tasks o on o.id = n.id
    left join task_status_moves m on m.from_status = o.status and m.to_status = n.status
   where o.status <> n.status;
  if moves.count = 0 then return null; end if;
  if moves.illegal_id is not null then
    select n.id, o.status as from_status, n.status as to_status into illegal
      from new_tasks n
      join old_tasks o on o.id = n.id
     where n.id = moves.illegal_id;
    raise exception 'task % may not move from % to %', illegal.id, illegal.from_status, illegal.to_status
      using errcode = 'check_violation';
  end if;

  insert into task_events (task_id, at, from_status, to_status, actor, reason)
  -- When it happens, not when the transaction began: two that waited for each other are told in their order.
  select n.id, forager_now() + (clock_timestamp() - now()), (array[o.status] || m.via)[hop], (m.via || n.status)[hop], n.moved_by,
         case when hop = cardinality(m.via) + 1 then n.move_reason end
    from new_tasks n
    join old_tasks o on o.id = n.id
    join task_status_moves m on m.from_status = o.status and m.to_status = n.status
   cross join lateral generate_series(1, cardinality(m.via) + 1) as hop
   order by n.id, hop;

  -- The next run counts from the end of this one; failures in a row wait 5, 10, 20, 40 min, then as long as usual.
  if moves.ended_policies is not null then
    update crawl_policies p
       set live_task_id = null,
           last_success_at = case when t.status = 'completed' then forager_now() else p.last_success_at end,
           last_failed_at = case when t.status in ('failed', 'expired') then forager_now() else p.last_failed_at end,
           failure_count = case t.status when 'completed' then 0 when 'cancelled' then p.failure_count
                                         else p.failure_count + 1 end,
           next_run_at = forager_now() + case
             when t.status in ('completed', 'cancelled') then p.frequency_hours * interval '1 hour'
             when p.failure_count < 4 then p.retry_backoff_minutes * (2 ^ p.failure_count) * interval '1 minute'
             else greatest(p.frequency_hours * interval '1 hour', p.retry_backoff_minutes * interval '8 minutes') end,
           updated_at = forager_now()
      from (select n.id, n.policy_id, n.status
              from new_tasks n
              join old_tasks o on o.id = n.id
             where o.status <> n.status and n.status in ('completed', 'failed', 'cancelled', 'expired')) as t
     where p.id = any(moves.ended_policies) and p.id = t.policy_id and p.live_task_id = t.id;
  end if;

  -- Restarted by a person: it is what its policy waits for again.
  if moves.restarted_policies is not null then
    update crawl_policies p
       set live_task_id = t.id, updated_at = forager_now()
      from (select n.id, n.policy_id
              from new_tasks n
              join old_tasks o on o.id = n.id
             where o.status in ('completed', 'failed', 'cancelled', 'expired')
               and n.status not in ('completed', 'failed', 'cancelled', 'expired')) as t
     where p.id = any(moves.restarted_policies) and p.id = t.policy_id and p.live_task_id is null;
  end if;

  -- A few are let go at once. Where it is more, the scheduler does it, in portions: nobody's commit takes seconds.
  if moves.completed_ids is not null then
    waiting_ids := array(select c.id from crawl_tasks c
                          where c.parent_task_id = any(moves.completed_ids) and c.is_waiting
                          limit most_released + 1);
    if cardinality(waiting_ids) > most_released then
      insert into task_releases (task_id, noted_at)
      select p.id, forager_now() from unnest(moves.completed_ids) as p (id)
       where (select true from crawl_tasks c where c.parent_task_id = p.id and c.is_waiting limit 1)
      on conflict do nothing;
    elsif cardinality(waiting_ids) > 0 then
      update crawl_tasks set is_waiting = false where id = any(waiting_ids) and is_waiting;
    end if;
    if cardinality(waiting_ids) > 0 then perform pg_notify('forager_schedule', ''); end if;
  end if;

  if moves.failed_count > 0 then
    insert into dead_letters (queue, task_id, domain_id, reason, created_at)
    select case when o.status = 'parsing' then 'parse_queue' when n.priority <= 2 then 'priority_queue'
                else 'crawl_queue' end,
           n.id, n.domain_id, coalesce(n.error_message, n.move_reason, 'failed'), forager_now()
      from new_tasks n
      join old_tasks o on o.id = n.id
     where o.status <> n.status and n.status in ('failed', 'expired')
    on conflict (task_id) where task_id is not null and requeued_at is null do nothing;
  end if;
  if moves.revived_ids is not null then
    update dead_letters l
       set requeued_at = forager_now(), requeued_by = n.moved_by
      from new_tasks n
     where l.task_id = any(moves.revived_ids) and l.task_id = n.id and l.requeued_at is null;
  end if;

  events_told := case when moves.completed_ids is null then '{}' else '{task.completed}' end::text[]
                 || case when moves.failed_count = 0 then '{}' else '{task.failed}' end::text[];
  if events_told <> '{}' and exists (select from webhooks where is_enabled and events && events_told) then
    insert into webhook_deliveries (webhook_id, message_id, event, payload, next_attempt_at, created_at)
    select w.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), t.event,
           jsonb_build_object('type', t.event, 'timestamp', to_jsonb(forager_now()), 'data', t.data),
           forager_now(), forager_now()
      from (select case when n.status = 'completed' then 'task.completed' else 'task.failed' end as event,
                   jsonb_build_object(
                     'taskId', n.id, 'url', n.url, 'domain', (select d.domain from domains d where d.id = n.domain_id),
                     'status', n.status, 'httpStatus', n.http_status, 'finalUrl', n.final_url,
                     'retryCount', n.retry_count, 'error', n.error_message, 'batchId', n.batch_id,
                     'policyId', n.policy_id, 'createdBy', n.created_by) as data
              from new_tasks n
              join old_tasks o on o.id = n.id
             where o.status <> n.status and n.status in ('completed', 'failed', 'expired')) as t
      join webhooks w on w.is_enabled and t.event = any(w.events);
  end if;
  return null;
end $$;
create trigger crawl_tasks_record_moves after update on crawl_tasks
  referencing old table as old_tasks new table as new_tasks for each statement execute function record_task_moves();

create function tell_of_blocked_domain() returns trigger language plpgsql as $$
begin
  perform tell_webhooks('domain.blocked', forager_now(),
            jsonb_build_object('domain', new.domain, 'status', new.status, 'code', new.status_code,
                               'reason', new.block_reason, 'until', to_jsonb(new.next_crawl_after)));
  return null;
end $$;
create trigger domains_tell_blocked after update of status on domains
  for each row when (old.status is distinct from new.status and new.status in ('blocked', 'unreachable'))
  execute function tell_of_blocked_domain();

create function tell_of_alert() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(case when new.resolved_at is null then 'alert.raised' else 'alert.resolved' end,
            forager_now(),
            jsonb_build_object('alertId', new.id, 'code', new.code, 'subject', new.subject,
                               'severity', new.severity, 'message', new.message, 'hint', new.hint));
  return null;
end $$;
create trigger alerts_tell_raised after insert on alerts for each row execute function tell_of_alert();
create trigger alerts_tell_resolved after update of resolved_at on alerts
  for each row when (old.resolved_at is null and new.resolved_at is not null) execute function tell_of_alert();
