-- The server: who may come in, what they did, what is being done for them, and figures over time.

-- People. A password that was generated and printed is to be changed: until then it has an end.
create table users (
  id bigint generated always as identity primary key,
  username text not null unique check (username ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  role text not null check (role in ('user', 'admin')),
  password_hash text not null,
  password_expires_at timestamptz,
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_login_at timestamptz
);

-- Who is logged in. The token itself is in nobody's hands but the browser's.
create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  address text not null,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Keys for programs. One of a person can do no more than that person; a bot's key belongs to nobody else.
create table api_keys (
  id bigint generated always as identity primary key,
  key_hash bytea not null unique,
  -- the first characters, to tell keys apart
  prefix text not null,
  name text not null check (length(name) between 1 and 100),
  user_id bigint references users on delete cascade,
  role text not null check (role in ('user', 'admin', 'bot')),
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((role = 'bot') = (user_id is null))
);
create index api_keys_user on api_keys (user_id);

-- Failed logins by account and by address: whoever guesses is made to wait.
create table login_throttles (
  subject text primary key,
  failures_count integer not null,
  window_ends_at timestamptz not null
);

-- What people with power did, and from where.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text,
  details jsonb not null default '{}',
  address text,
  request_id text
);
create index audit_log_at on audit_log (at, id);
create index audit_log_actor on audit_log (actor, at, id);
create index audit_log_action on audit_log (action, at, id);

-- Answers to requests that may be sent again under the same key.
create table idempotency_keys (
  owner text not null,
  key text not null,
  -- of method, path and body: the same key on another request is a mistake
  fingerprint bytea not null,
  locked_until timestamptz not null,
  status smallint,
  body text,
  location text,
  created_at timestamptz not null default now(),
  primary key (owner, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Work that takes longer than a request may: done in portions by whoever runs a server, resumed after a crash.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  params jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  is_cancel_requested boolean not null default false,
  done_count bigint not null default 0,
  -- null: not known
  total_count bigint,
  result jsonb,
  error text,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  -- who is at it; taken over by another when it falls silent
  runner text,
  runner_until timestamptz,
  attempts_count smallint not null default 0
);
create index jobs_unfinished on jobs (id) where finished_at is null;

-- What every commit counted, by the minute: pages, fetches, errors, bytes, status:200, outcome:timeout …
-- Each worker has rows of its own, so that nobody waits for anybody; later they become one row of nobody (''),
-- and later still one row an hour.
create table stats_minutely (
  minute timestamptz not null,
  worker_id text not null,
  tally text not null,
  count bigint not null,
  primary key (minute, worker_id, tally)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- What is not among the totals yet: rows of the last minutes.
create index stats_minutely_of_workers on stats_minutely (minute) where worker_id <> '';
-- All that was ever counted and has become a row of nobody. What was ever counted is this and the workers' rows.
create table stats_totals (
  tally text primary key,
  count bigint not null
);
-- What is measured, not counted: the size of the frontier, domains by state …
create table stats_gauges (
  minute timestamptz not null,
  gauge text not null,
  value double precision not null,
  primary key (minute, gauge)
);

create table alerts (
  id bigint generated always as identity primary key,
  code text not null,
  -- what it is about, where there may be several of a kind: a worker, a domain
  subject text not null default '',
  severity text not null check (severity in ('warning', 'critical')),
  message text not null,
  hint text,
  raised_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  resolved_at timestamptz
);
create unique index alerts_one_open on alerts (code, subject) where resolved_at is null;

-- Lists: the pages of a domain in the order in which they came, and the URLs that went wrong.
create index pages_domain on pages (domain_id, id);
create index urls_troubled on urls (domain_id, url_hash) where state in ('failed', 'blocked');

-- How often URLs were removed, in one row once they were: workers that remember links as known forget them then.
create table url_removals (
  is_only boolean primary key default true check (is_only),
  times_count bigint not null default 0
);
