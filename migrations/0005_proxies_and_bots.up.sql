-- Two ways for work to leave the house: through a proxy, and by the hands of bots that pull it.
-- Locks are taken in this order everywhere: domains (by id), policies, tasks (by id), then what is named here: proxies
-- (by id), and last of all the queues of bots. Whoever holds one of those waits for none of the others.

alter table domains
  -- auto: through its own pool if it has one, else through the shared proxies if there are any, else directly;
  -- direct: never through a proxy; required: never directly, also where there is no proxy at all
  add column proxy_mode text not null default 'auto' check (proxy_mode in ('auto', 'direct', 'required')),
  -- only proxies of this country
  add column proxy_country text check (proxy_country ~ '^[A-Z]{2}$'),
  -- request: every request through the one that was not used for longest; sticky: as long as possible through one,
  -- with the cookies that it was given there
  add column proxy_rotation text not null default 'request' check (proxy_rotation in ('request', 'sticky')),
  -- to this domain, through any one proxy; null: as many as the proxy allows
  add column proxy_requests_per_hour integer check (proxy_requests_per_hour > 0);

-- Those that wait for a proxy: few, and looked for whenever something could help them.
create index domains_without_proxy on domains (id) where block_reason_code = 'no_proxy';
-- Those that must not be crawled without one: whether there are any for them is asked again and again.
create index domains_needing_proxy on domains (id) where proxy_mode = 'required' or proxy_country is not null;

create table proxies (
  id bigint generated always as identity primary key,
  -- its host: a name or an address
  proxy_url text not null check (length(proxy_url) between 1 and 255) check (proxy_url = lower(proxy_url)),
  proxy_port integer not null check (proxy_port between 1 and 65535),
  proxy_protocol text not null default 'http' check (proxy_protocol in ('http', 'https', 'socks5')),
  proxy_username text check (length(proxy_username) between 1 and 255),
  -- encrypted; the key is not in the database
  proxy_password bytea,
  -- false: only domains to which it is assigned use it
  is_shared boolean not null default true,
  is_active boolean not null default true,
  -- why it is out: 'failures', or who switched it off
  disabled_by text,
  disabled_at timestamptz,
  -- one that is out for its failures is tried again then, with one request at a time
  retry_at timestamptz,
  -- how often in a row it was out
  outages_count smallint not null default 0,
  -- in a row
  failure_count integer not null default 0,
  success_count bigint not null default 0,
  failures_total bigint not null default 0,
  last_used_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  avg_response_time_ms integer,
  -- as it was last seen from outside
  exit_address inet,
  checked_at timestamptz,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  city text check (length(city) between 1 and 100),
  provider text check (length(provider) between 1 and 100),
  monthly_cost numeric(10, 2) check (monthly_cost >= 0),
  max_requests_per_hour integer not null default 1000 check (max_requests_per_hour > 0),
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint proxies_out check (is_active or disabled_by is not null),
  constraint proxies_returns check (retry_at is null or (not is_active and disabled_by = 'failures'))
);
create unique index proxies_place on proxies (proxy_protocol, proxy_url, proxy_port, coalesce(proxy_username, ''));
create index proxies_shared on proxies (last_used_at nulls first, id) where is_shared;
create index proxies_returning on proxies (retry_at) where retry_at is not null;

-- Which proxies a domain uses, and what it has seen of them: assigned ones are its pool, the others are shared ones
-- that it has met.
create table domain_proxies (
  domain_id bigint not null references domains on delete cascade,
  proxy_id bigint not null references proxies on delete cascade,
  is_assigned boolean not null default true,
  is_active boolean not null default true,
  disabled_by text,
  disabled_at timestamptz,
  retry_at timestamptz,
  outages_count smallint not null default 0,
  -- 1 goes first
  priority smallint not null default 5 check (priority between 1 and 10),
  -- through this proxy to this domain; null: what the domain says
  max_requests_per_hour integer check (max_requests_per_hour > 0),
  -- in a row
  failure_count integer not null default 0,
  success_count bigint not null default 0,
  failures_total bigint not null default 0,
  last_used_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  avg_response_time_ms integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (domain_id, proxy_id),
  constraint domain_proxies_out check (is_active or disabled_by is not null),
  constraint domain_proxies_returns check (retry_at is null or (not is_active and disabled_by = 'failures'))
);
create index domain_proxies_proxy on domain_proxies (proxy_id, domain_id);
create index domain_proxies_of_proxy on domain_proxies (proxy_id, domain_id) where is_assigned;
create index domain_proxies_assigned on domain_proxies (domain_id) where is_assigned;

-- Requests by the minute. They are granted before they are made, a few at a time: whoever dies with some in hand has
-- used them up. A grant holds for the minute it was given in and the next one. Kept for two hours. (Without foreign
-- keys: whoever grants would have to wait for the domain, which whoever commits has locked while it waits for the proxy.)
create table proxy_usage (
  proxy_id bigint not null,
  domain_id bigint not null,
  minute timestamptz not null,
  granted_count integer not null default 0,
  requests_count integer not null default 0,
  failures_count integer not null default 0,
  primary key (proxy_id, minute, domain_id)
);
create index proxy_usage_domain on proxy_usage (domain_id, minute);
create index proxy_usage_minute on proxy_usage (minute);

alter table crawl_log add column proxy_id bigint;

-- Programs that pull work and hand in results. Each has keys of its own.
create table bots (
  id bigint generated always as identity primary key,
  bot_id text not null unique check (bot_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  description text check (length(description) <= 1000),
  -- only jobs of these domains; null: of all
  domains text[],
  -- jobs it may hold at a time
  max_locks integer not null default 100 check (max_locks between 1 and 10000),
  max_jobs_per_hour integer check (max_jobs_per_hour > 0),
  pulls_count bigint not null default 0,
  jobs_count bigint not null default 0,
  success_count bigint not null default 0,
  failures_count bigint not null default 0,
  expired_count bigint not null default 0,
  -- from pulling to handing in, of the results it has handed in
  work_ms bigint not null default 0,
  last_pull_at timestamptz,
  last_submit_at timestamptz,
  revoked_at timestamptz,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table api_keys
  add column bot_id bigint references bots on delete cascade,
  add constraint api_keys_of_bot check (bot_id is null or role = 'bot');
create index api_keys_bot on api_keys (bot_id) where bot_id is not null;

create table bot_hours (
  bot_id bigint not null references bots on delete cascade,
  hour timestamptz not null,
  pulls_count integer not null default 0,
  jobs_count integer not null default 0,
  success_count integer not null default 0,
  failures_count integer not null default 0,
  expired_count integer not null default 0,
  work_ms bigint not null default 0,
  primary key (bot_id, hour)
);
create index bot_hours_hour on bot_hours (hour);

-- What a job must bring to be a success: a price with its currency, a page (raw HTML), data, or anything.
alter table crawl_tasks
  add column wanted text not null default 'price' check (wanted in ('price', 'page', 'data', 'any'));
alter table crawl_policies
  add column wanted text not null default 'price' check (wanted in ('price', 'page', 'data', 'any'));

-- Domains that may have jobs for bots. Whoever pulls locks the row of a domain first, and so is alone with its jobs:
-- the limit of locks holds exactly. The row goes when no job waits.
create table bot_queues (
  domain_id bigint primary key references domains on delete cascade,
  best_priority smallint not null,
  -- nothing can be had before
  next_at timestamptz not null,
  pulled_at timestamptz
);
create index bot_queues_order on bot_queues (best_priority, pulled_at nulls first, domain_id) include (next_at);

-- Whoever pulls goes by domain: nobody asks for the jobs of all of them in their order any more.
drop index crawl_tasks_for_bots;
create index crawl_tasks_bot_pending on crawl_tasks (domain_id, priority, scheduled_at, id)
  where status = 'pending' and not is_waiting and executor = 'bot';
create index crawl_tasks_locked on crawl_tasks (domain_id) where status = 'locked';
create index crawl_tasks_locked_by on crawl_tasks (locked_by, id) where status = 'locked';

-- Every lock has a number of its own, larger than all before it (crawl_tasks.lock_version).
create sequence bot_lock_tokens;

-- What was answered to a submission: the same again gets the same answer, and changes nothing. Kept for a week.
create table bot_submissions (
  lock_token bigint primary key,
  task_id bigint not null,
  bot_id bigint not null references bots on delete cascade,
  -- of what was handed in: something else under the same lock is refused
  digest bytea not null,
  answer jsonb not null,
  at timestamptz not null default now()
);
create index bot_submissions_task on bot_submissions (task_id, bot_id, lock_token);
create index bot_submissions_at on bot_submissions (at);

-- One result for each finished task that a bot has worked on: the one of the last lock.
create table crawl_results (
  id uuid primary key default gen_random_uuid(),
  task_id bigint not null unique references crawl_tasks on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  bot_id bigint references bots on delete set null,
  lock_token bigint not null,
  price numeric(20, 6) check (price >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  title text,
  in_stock boolean,
  parsed_data jsonb,
  has_html boolean not null default false,
  crawled_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index crawl_results_domain on crawl_results (domain_id, created_at, id);
create index crawl_results_bot on crawl_results (bot_id) where bot_id is not null;

-- What is sold at a URL. updated_at moves only when its content changes.
create table products (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  url text not null,
  url_hash bytea not null,
  name text,
  price numeric(20, 6) check (price >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  availability text check (availability in ('in_stock', 'out_of_stock')),
  -- whatever else was found
  data jsonb not null default '{}',
  content_hash bytea not null,
  -- who saw it last: 'bot', or the parser
  source text not null,
  task_id bigint,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (domain_id, url_hash)
);
create index products_domain on products (domain_id, id);
create index products_updated on products (updated_at, id);

-- How the price and the availability of a product have changed; the first row is what it was at first.
create table price_points (
  product_id bigint not null references products on delete cascade,
  at timestamptz not null,
  price numeric(20, 6),
  currency text,
  availability text,
  source text not null,
  task_id bigint,
  primary key (product_id, at)
);

-- Jobs for bots: whatever becomes available, or makes room for others, is noted in the queue of its domain, and
-- whoever waits for work is told.
create function note_new_bot_jobs() returns trigger language plpgsql as $$
begin
  if not exists (select from new_tasks where executor = 'bot') then return null; end if;
  insert into bot_queues as q (domain_id, best_priority, next_at)
  select domain_id, min(priority), min(scheduled_at) from new_tasks
   where executor = 'bot' and status = 'pending' and not is_waiting
   group by domain_id order by domain_id
  on conflict (domain_id) do update
    set best_priority = least(q.best_priority, excluded.best_priority), next_at = least(q.next_at, excluded.next_at);
  if found then perform pg_notify('forager_bots', ''); end if;
  return null;
end $$;
create trigger crawl_tasks_note_new_bot_jobs after insert on crawl_tasks
  referencing new table as new_tasks for each statement execute function note_new_bot_jobs();

create function note_bot_jobs() returns trigger language plpgsql as $$
begin
  if not exists (select from new_tasks where executor = 'bot') then return null; end if;
  -- All of them by number, before one is changed: two that change the same ones must not wait for each other.
  perform from bot_queues q
    where q.domain_id in (select n.domain_id from new_tasks n join old_tasks o on o.id = n.id
                           where n.executor = 'bot'
                             and ((n.status = 'pending' and not n.is_waiting)
                                  or (o.status = 'locked' and n.status <> 'locked' and q.next_at > forager_now())))
    order by q.domain_id
      for no key update;
  insert into bot_queues as q (domain_id, best_priority, next_at)
  select n.domain_id, min(n.priority) filter (where n.status = 'pending' and not n.is_waiting),
         min(case when o.status = 'locked' and n.status <> 'locked' then forager_now() else n.scheduled_at end)
    from new_tasks n
    join old_tasks o on o.id = n.id
   where n.executor = 'bot'
     and ((n.status = 'pending' and not n.is_waiting) or (o.status = 'locked' and n.status <> 'locked'))
   group by n.domain_id
  -- Room that is made in a domain with nothing waiting is of no interest; one that is known learns of it below.
  having count(*) filter (where n.status = 'pending' and not n.is_waiting) > 0
   order by n.domain_id
  on conflict (domain_id) do update
    set best_priority = least(q.best_priority, excluded.best_priority), next_at = least(q.next_at, excluded.next_at);
  if found then perform pg_notify('forager_bots', ''); end if;
  update bot_queues q
     set next_at = forager_now()
   where q.domain_id in (select n.domain_id from new_tasks n join old_tasks o on o.id = n.id
                          where n.executor = 'bot' and o.status = 'locked' and n.status <> 'locked')
     and q.next_at > forager_now();
  if found then perform pg_notify('forager_bots', ''); end if;
  return null;
end $$;
create trigger crawl_tasks_note_bot_jobs after update on crawl_tasks
  referencing old table as old_tasks new table as new_tasks for each statement execute function note_bot_jobs();

-- A domain that bots were kept from can be had again, or has more room. A pull that is just putting it off, by what it
-- knows of the domain, is waited for: it waits for nobody.
create function wake_bot_queue() returns trigger language plpgsql as $$
begin
  update bot_queues set next_at = least(next_at, forager_now()) where domain_id = new.id;
  if found then perform pg_notify('forager_bots', ''); end if;
  return null;
end $$;
create trigger domains_wake_bot_queue
  after update of is_active, status, next_crawl_after, max_concurrent_requests, maintenance_start, maintenance_end,
                  maintenance_timezone on domains
  for each row
  when ((new.is_active and not old.is_active)
        or new.max_concurrent_requests is distinct from old.max_concurrent_requests
        or new.maintenance_start is distinct from old.maintenance_start
        or new.maintenance_end is distinct from old.maintenance_end
        or new.maintenance_timezone is distinct from old.maintenance_timezone
        or (old.next_crawl_after > forager_now() and old.status in ('pending', 'active')
            and old.block_reason_code is distinct from 'no_proxy'
            and (new.next_crawl_after is null or new.next_crawl_after < old.next_crawl_after
                 or new.status not in ('pending', 'active'))))
  execute function wake_bot_queue();

insert into bot_queues (domain_id, best_priority, next_at)
select domain_id, min(priority), min(scheduled_at) from crawl_tasks
 where executor = 'bot' and status = 'pending' and not is_waiting
 group by domain_id;
