-- Many workers: who they are, whose turn it is, what a domain taught us, and when its pages are read again.

-- The clock of every schedule. The server's own, so that machines need not agree on the time; a test puts
-- another one in its place, and a week passes in a second.
create function forager_now() returns timestamptz language sql stable parallel safe
  return now();

-- Run 0 is the standing order: whatever no crawl of its own is at work on belongs to it, and to the fleet.
insert into crawl_runs (id, crawl_key, settings) overriding system value
values (0, '\x00', '{"standing": true}');

alter table domains
  -- the run in whose queue the domain is, one at a time; no foreign key: runs are never deleted, and a list of
  -- a million sites would pay for a million checks
  add column run_id bigint not null default 0,
  -- it has had its turn: whoever has not comes first
  add column yielded_at timestamptz,
  -- its known pages are being read again
  add column is_refreshing boolean not null default false,
  -- how often in a row it has asked us to slow down, over sessions
  add column consecutive_throttle_count smallint not null default 0,
  -- why it is in its state; the codes are those of domain_status_moves
  add column status_code text not null default 'seeded',
  add column products_found bigint not null default 0,
  add column product_yield_rate double precision,
  -- what belongs to it; null means: the program's default
  add column scope text check (scope in ('host', 'domain', 'any')),
  add column include text[],
  add column exclude text[],
  add column max_depth integer check (max_depth >= 0);

-- Counters change with every commit: room for the new row beside the old one spares the indexes.
alter table domains set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

update domains d
   set run_id = latest.run_id
  from (select m.domain_id, max(m.run_id) as run_id
          from crawl_run_domains m join crawl_runs r on r.id = m.run_id
         where r.finished_at is null
         group by m.domain_id) as latest
 where d.id = latest.domain_id;

-- What was called by two names has one.
update domains set block_reason_code = case block_reason_code
         when 'tls_failed' then 'tls_failure' else 'connection_failure' end
 where block_reason_code in ('tls_failed', 'connect_failed');

update domains set status_code = case status
         when 'active' then 'claimed' when 'exhausted' then 'all_done'
         else coalesce(block_reason_code, 'seeded') end;

update domains set next_crawl_after = coalesce(last_crawled_at, now()) + interval '14 days'
 where status = 'exhausted' and next_crawl_after is null;

-- The claim reads one of these two: domains that can be claimed now and nothing else, in the order in which
-- they are claimed. Leased and resting domains are not in them; what frees a lease or ends a rest puts them in.
drop index domains_claimable;
create index domains_claimable on domains
  (run_id, (coalesce(yielded_at, '-infinity'::timestamptz)), ((status = 'active')) desc, priority_score desc,
   last_crawled_at nulls first, id)
  where status in ('pending', 'active') and is_active and claimed_by is null and next_crawl_after is null;
create index domains_in_order_of_arrival on domains
  (run_id, (coalesce(yielded_at, '-infinity'::timestamptz)), ((status = 'active')) desc, seed_rank, id)
  where status in ('pending', 'active') and is_active and claimed_by is null and next_crawl_after is null;
-- Whose time has come: the end of a rest or cooldown, and the next refresh.
create index domains_waking on domains (next_crawl_after)
  where next_crawl_after is not null and claimed_by is null and is_active and status <> 'exhausted';
create index domains_refresh_due on domains (run_id, next_crawl_after)
  where next_crawl_after is not null and claimed_by is null and is_active and status = 'exhausted';
create index domains_lease_ends on domains (claim_expires_at) where claimed_by is not null;
create index domains_leased_for_run on domains (last_crawl_run_id) where claimed_by is not null;
create index domains_of_run on domains (run_id) where run_id <> 0;

-- How many pages of a run a lease may bring the domain to. What a limited run has promised to its leases and
-- not yet got is pages_allowed - pages_count over the leases that live.
alter table crawl_run_domains add column pages_allowed bigint;

-- Legal moves and the codes that may cause them; the trigger refuses the rest.
drop table domain_status_moves;
create table domain_status_moves (
  from_status domain_status not null,
  to_status domain_status not null,
  code text not null,
  meaning text not null,
  primary key (from_status, to_status, code)
);
insert into domain_status_moves values
  ('pending', 'active', 'claimed', 'a worker claimed it'),
  ('pending', 'unreachable', 'dns_failure', 'the name does not resolve'),
  ('pending', 'unreachable', 'connection_failure', 'no connection could be made'),
  ('active', 'exhausted', 'all_done', 'every known URL has been dealt with'),
  ('active', 'exhausted', 'reset', 'reset by a person, on the way to pending'),
  ('active', 'blocked', 'login_required', 'nothing but login pages'),
  ('active', 'blocked', 'rate_limited', 'asked us to slow down again and again'),
  ('active', 'blocked', 'forbidden', 'the site refuses us'),
  ('active', 'blocked', 'robots_denied', 'robots.txt disallows every known URL'),
  ('active', 'blocked', 'server_errors', 'nothing but server errors'),
  ('active', 'unreachable', 'dns_failure', 'the name does not resolve'),
  ('active', 'unreachable', 'connection_failure', 'connections fail, break or time out'),
  ('active', 'unreachable', 'connect_refused', 'the server refuses connections'),
  ('active', 'unreachable', 'connect_timeout', 'connecting takes too long'),
  ('active', 'unreachable', 'tls_failure', 'no secure connection could be made'),
  ('exhausted', 'pending', 'refresh_due', 'its pages are to be read again'),
  ('exhausted', 'pending', 'new_urls', 'new URLs were found'),
  ('exhausted', 'pending', 'reset', 'reset by a person'),
  ('exhausted', 'active', 'claimed', 'a worker claimed it for refresh'),
  ('blocked', 'pending', 'cooldown_over', 'left alone long enough'),
  ('blocked', 'pending', 'reset', 'reset by a person'),
  ('blocked', 'active', 'reset', 'reset by a person'),
  ('unreachable', 'pending', 'cooldown_over', 'left alone long enough'),
  ('unreachable', 'pending', 'reset', 'reset by a person'),
  ('unreachable', 'active', 'reset', 'reset by a person');

create or replace function refuse_illegal_domain_move() returns trigger language plpgsql as $$
begin
  if not exists (select from domain_status_moves
                  where from_status = old.status and to_status = new.status and code = new.status_code) then
    raise exception 'domain % may not move from % to % (%)', old.domain, old.status, new.status, new.status_code
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Every change of state, with its reason. Whoever acts without a lease names itself and its reason in the
-- settings forager.actor and forager.reason of its transaction.
create table domain_events (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  at timestamptz not null default now(),
  from_status domain_status not null,
  to_status domain_status not null,
  code text not null,
  reason text,
  actor text,
  run_id bigint,
  next_crawl_after timestamptz
);
create index domain_events_domain on domain_events (domain_id, id desc);

create function record_domain_move() returns trigger language plpgsql as $$
begin
  insert into domain_events (domain_id, at, from_status, to_status, code, reason, actor, run_id, next_crawl_after)
  values (new.id, forager_now(), old.status, new.status, new.status_code,
          coalesce(nullif(current_setting('forager.reason', true), ''), new.block_reason),
          coalesce(nullif(current_setting('forager.actor', true), ''), new.claimed_by, old.claimed_by),
          new.last_crawl_run_id, new.next_crawl_after);
  return null;
end $$;
create trigger domains_record_moves after update of status on domains
  for each row when (old.status is distinct from new.status)
  execute function record_domain_move();

-- The score of a domain, term by term: what the claim orders by, and what `forager explain` shows.
--   rank       1000 points for rank 1, none from a million on
--   yield      1000 points per image stored, or product found, per page
--   remaining  2 points per known page not read yet, at most 500 of them
--   errors     500 points off when everything fails
--   staleness  5 points per day since the last visit (or since it was first heard of), for at most a year
create view domain_priorities as
select t.*,
       greatest(-1000000, least(1000000,
         rank_points + image_points + product_points + remaining_points + error_points + staleness_points))
         as score
  from (select q.*,
               case when q.seed_rank is null then 0
                    else round(1000 * greatest(0, 1 - log(greatest(q.seed_rank, 1)) / 6)) end::int as rank_points,
               round(least(coalesce(q.image_yield_rate, 0), 500) * 1000)::int as image_points,
               round(least(coalesce(q.product_yield_rate, 0), 500) * 1000)::int as product_points,
               (least(greatest(q.pages_discovered - q.pages_crawled, 0), 500) * 2)::int as remaining_points,
               round(coalesce(q.error_rate, 0) * -500)::int as error_points,
               round(least(q.idle_days, 365) * 5)::int as staleness_points
          from (select d.id, d.seed_rank, d.pages_discovered, d.pages_crawled,
                       d.images_stored::float8 / nullif(d.pages_crawled, 0) as image_yield_rate,
                       d.products_found::float8 / nullif(d.pages_crawled, 0) as product_yield_rate,
                       d.images_found::float8 / nullif(d.pages_crawled, 0) as avg_images_per_page,
                       d.total_error_count::float8 / nullif(d.pages_crawled + d.total_error_count, 0)
                         as error_rate,
                       greatest(0, extract(epoch from forager_now() - coalesce(d.last_crawled_at, d.first_seen_at))
                                     / 86400)::float8 as idle_days
                  from domains d) as q) as t;

-- Reading again: when, how often it was found changed, and how often it was missing lately.
alter table urls
  add column refresh_seconds integer,
  add column visits_count integer not null default 0,
  add column changes_count integer not null default 0,
  add column miss_count smallint not null default 0;
update urls set next_crawl_at = coalesce(last_crawled_at, now()) + interval '14 days', visits_count = 1
 where state = 'fetched';
create index urls_refresh on urls (domain_id, next_crawl_at) where state = 'fetched' and miss_count = 0;
-- Known pages that were missing lately: asked again, after the others, before they count as gone.
create index urls_missing on urls (domain_id, next_crawl_at) where state = 'fetched' and miss_count > 0;

alter table pages
  add column changed_at timestamptz,
  add column missing_since timestamptz,
  add column gone_at timestamptz;

-- Everything that holds leases. A worker silent for two minutes counts as dead; its leases end by themselves.
create table workers (
  id text primary key check (length(id) between 1 and 100),
  -- tells two lives of one name apart: only the last one may speak for it
  incarnation text not null,
  kind text not null check (kind in ('worker', 'crawl')),
  run_id bigint not null default 0,
  -- where its process runs, and how to tell it from another with the same number
  host text not null,
  machine text not null,
  pid integer not null,
  process_mark text not null,
  program_version text not null,
  state text not null default 'running' check (state in ('running', 'draining', 'stopped')),
  domains_count integer not null default 0,
  in_flight_count integer not null default 0,
  -- room for domains it has and cannot fill: somebody with too many may give some up
  wanted_count integer not null default 0,
  pages_count bigint not null default 0,
  fetches_count bigint not null default 0,
  errors_count bigint not null default 0,
  bytes_count bigint not null default 0,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  stopped_at timestamptz
);
create index workers_heartbeat on workers (heartbeat_at) where state <> 'stopped';

-- What happened in a worker's time on the standing order, counted as crawl_run_tallies counts for a crawl; each
-- worker has rows of its own, so that nobody waits for anybody.
create table worker_tallies (
  worker_id text not null,
  tally text not null,
  count bigint not null default 0,
  primary key (worker_id, tally)
);

-- Periodic work that any process may do, and when it was last done.
create table upkeep_jobs (
  name text primary key,
  ran_at timestamptz not null
);
