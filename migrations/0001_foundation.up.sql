-- The truth: domains, their URLs, the pages read from them, and a log of every fetch.
-- Every table that grows with the crawl is keyed by domain_id first, so that it can be sharded by it.

create type domain_status as enum ('pending', 'active', 'exhausted', 'blocked', 'unreachable');
create type url_state as enum ('never_crawled', 'fetched', 'failed', 'blocked');
create type run_status as enum ('running', 'interrupted', 'finished', 'failed');

-- One row per crawl somebody asked for. The same command finds its unfinished run through crawl_key.
create table crawl_runs (
  id bigint generated always as identity primary key,
  crawl_key bytea not null,
  settings jsonb not null,
  status run_status not null default 'running',
  end_reason text,
  max_pages bigint,
  max_pages_per_domain bigint,
  pages_count bigint not null default 0,
  fetches_count bigint not null default 0,
  errors_count bigint not null default 0,
  bytes_count bigint not null default 0,
  active_ms bigint not null default 0,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index crawl_runs_one_unfinished on crawl_runs (crawl_key) where finished_at is null;

-- What happened in a run, counted: status:200, outcome:timeout, skip:robots …
create table crawl_run_tallies (
  run_id bigint not null references crawl_runs on delete cascade,
  tally text not null,
  count bigint not null default 0,
  primary key (run_id, tally)
);

create table domains (
  id bigint generated always as identity primary key,
  domain text not null unique check (length(domain) between 1 and 260),
  parent_domain text not null,
  base_url text not null,

  -- settings; null means: the program's default
  parser_name text not null default 'generic',
  crawl_delay_ms integer check (crawl_delay_ms >= 0),
  max_concurrent_requests integer check (max_concurrent_requests > 0),
  default_crawl_frequency interval not null default '1 day',
  user_agent text,
  is_active boolean not null default true,

  -- state; the legal moves are in domain_status_moves
  status domain_status not null default 'pending',
  block_reason text,
  block_reason_code text,
  first_blocked_at timestamptz,
  automatic_retry_count integer not null default 0,

  -- lease: who may speak to this domain and write about it; version is the fencing epoch
  claimed_by text,
  claim_expires_at timestamptz,
  version bigint not null default 0,

  -- progress, over all runs
  pages_discovered bigint not null default 0,
  pages_crawled bigint not null default 0,
  images_found bigint not null default 0,
  images_stored bigint not null default 0,
  crawl_depth_reached integer not null default 0,

  max_pages_per_run integer check (max_pages_per_run > 0),

  -- quality
  image_yield_rate double precision,
  avg_images_per_page double precision,
  error_rate double precision,
  total_error_count bigint not null default 0,
  consecutive_error_count integer not null default 0,

  -- scheduling
  priority_score integer not null default 0,
  priority_computed_at timestamptz,
  seed_rank integer,
  source text,

  first_seen_at timestamptz not null default now(),
  last_crawled_at timestamptz,
  next_crawl_after timestamptz,
  updated_at timestamptz not null default now(),
  last_crawl_run_id bigint references crawl_runs on delete set null
);

-- The claim reads this: runnable domains only, in the order in which they are claimed.
create index domains_claimable on domains
  ((status = 'active') desc, priority_score desc, last_crawled_at nulls first, id)
  where status in ('pending', 'active') and is_active;
create index domains_claimed on domains (claimed_by) where claimed_by is not null;
create index domains_status on domains (status);
create index domains_parent on domains (parent_domain);

-- One place defines the legal moves; the trigger below refuses the rest.
create table domain_status_moves (
  from_status domain_status not null,
  to_status domain_status not null,
  meaning text not null,
  primary key (from_status, to_status)
);
insert into domain_status_moves values
  ('pending', 'active', 'a worker claimed it'),
  ('pending', 'unreachable', 'no connection could be made'),
  ('active', 'exhausted', 'every known URL has been dealt with'),
  ('active', 'blocked', 'the site refuses us'),
  ('active', 'unreachable', 'no connection could be made'),
  ('exhausted', 'pending', 'refresh is due, or new URLs were found'),
  ('exhausted', 'active', 'refresh'),
  ('blocked', 'pending', 'cooldown over, or reset by a person'),
  ('blocked', 'active', 'reset by a person'),
  ('unreachable', 'pending', 'cooldown over, or reset by a person'),
  ('unreachable', 'active', 'reset by a person');

create function refuse_illegal_domain_move() returns trigger language plpgsql as $$
begin
  if not exists (select from domain_status_moves
                  where from_status = old.status and to_status = new.status) then
    raise exception 'domain % may not move from % to %', old.domain, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger domains_legal_moves before update of status on domains
  for each row when (old.status is distinct from new.status)
  execute function refuse_illegal_domain_move();

-- Which domains a run works on, and how many pages it has had from each.
create table crawl_run_domains (
  run_id bigint not null references crawl_runs on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  is_seed boolean not null default false,
  pages_count bigint not null default 0,
  fetches_count bigint not null default 0,
  errors_count bigint not null default 0,
  bytes_count bigint not null default 0,
  note text,
  primary key (run_id, domain_id)
);
create index crawl_run_domains_domain on crawl_run_domains (domain_id);

-- robots.txt per origin (scheme, host, port), as last seen.
create table domain_robots (
  domain_id bigint not null references domains on delete cascade,
  origin text not null,
  access text not null check (access in ('parse', 'allow-all', 'disallow-all', 'defer')),
  http_status integer,
  body bytea,
  note text,
  crawl_delay_seconds double precision,
  fetched_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (domain_id, origin)
);

-- Sitemaps named by robots.txt, found at the well-known place or listed in an index. One that was cut short
-- by a crash is still due and is read again; admitting its URLs twice changes nothing.
create table domain_sitemaps (
  domain_id bigint not null references domains on delete cascade,
  url text not null,
  nesting smallint not null default 0,
  state text not null default 'due' check (state in ('due', 'done', 'failed')),
  urls_count integer not null default 0,
  note text,
  found_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (domain_id, url)
);
create index domain_sitemaps_due on domain_sitemaps (domain_id, nesting) where state = 'due';

-- Every known URL, once, by the SHA-256 of its normalised form; requested as found.
create table urls (
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  depth smallint not null,
  priority smallint not null check (priority between 1 and 3),
  state url_state not null default 'never_crawled',
  is_seed boolean not null default false,
  redirect_count smallint not null default 0,
  error_count smallint not null default 0,
  http_status smallint,
  retry_at timestamptz,
  discovered_at timestamptz not null default now(),
  last_crawled_at timestamptz,
  next_crawl_at timestamptz,
  last_outcome text,
  etag text,
  last_modified text,
  content_hash bytea,
  simhash bigint,
  primary key (domain_id, url_hash)
) partition by hash (domain_id);
do $$ begin
  for i in 0..7 loop
    execute format('create table urls_%s partition of urls for values with (modulus 8, remainder %s)
                    with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000)', i, i);
  end loop;
end $$;
-- The frontier proper: what was never crawled, in the order in which it is taken.
create index urls_frontier on urls (domain_id, priority desc, depth, discovered_at)
  where state = 'never_crawled' and retry_at is null;
-- What failed in a way that may pass, waiting for its next attempt.
create index urls_retry on urls (domain_id, retry_at)
  where state = 'never_crawled' and retry_at is not null;

-- How many URLs of one shape (/calendar/{date}, /list?colour&size) a domain has been allowed: trap defence.
create table url_templates (
  domain_id bigint not null references domains on delete cascade,
  template text not null,
  admitted_count bigint not null default 0,
  primary key (domain_id, template)
);

-- Files that hold page bodies.
create table warc_segments (
  id integer generated always as identity primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);

-- What was last read from each URL.
create table pages (
  id bigint generated always as identity,
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  run_id bigint,
  depth smallint not null,
  http_status smallint not null,
  content_type text,
  charset text,
  content_length integer not null,
  transfer_length integer not null,
  content_hash bytea,
  simhash bigint,
  title text,
  description text,
  canonical_url text,
  language text,
  text_length integer not null default 0,
  links_count integer not null default 0,
  images_count integer not null default 0,
  is_noindex boolean not null default false,
  is_nofollow boolean not null default false,
  -- names a row of warc_segments; no foreign key, whose check would cost more than writing the page
  segment_id integer,
  segment_offset bigint,
  segment_length integer,
  crawl_duration_ms integer not null,
  first_crawled_at timestamptz not null default now(),
  crawled_at timestamptz not null default now(),
  primary key (domain_id, url_hash)
);
create unique index pages_id on pages (id);

-- One row per fetch, appended, dropped by the day.
create table crawl_log (
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  run_id bigint,
  fetched_at timestamptz not null default now(),
  outcome text not null,
  http_status smallint,
  attempt smallint not null default 1,
  duration_ms integer not null,
  bytes_count integer not null default 0,
  discovery_type text not null default 'discovery' check (discovery_type in ('discovery', 'refresh')),
  worker_id text not null,
  message text
) partition by range (fetched_at);
create table crawl_log_default partition of crawl_log default;
create index crawl_log_url on crawl_log (domain_id, url_hash, fetched_at);
