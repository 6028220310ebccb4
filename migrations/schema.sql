-- The schema that the migrations beside this file lead to. Made from the database, never edited by hand:
-- FORAGER_UPDATE_SCHEMA=1 npx vitest run test/postgres/schema.test.ts

create extension pg_trgm;

create extension unaccent;

create text search configuration forager_arabic (parser = pg_catalog."default");
alter text search configuration forager_arabic add mapping for asciihword, asciiword, hword_asciipart with arabic_stem;
alter text search configuration forager_arabic add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_arabic add mapping for hword, hword_part, word with unaccent, arabic_stem;

create text search configuration forager_armenian (parser = pg_catalog."default");
alter text search configuration forager_armenian add mapping for asciihword, asciiword, hword_asciipart with armenian_stem;
alter text search configuration forager_armenian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_armenian add mapping for hword, hword_part, word with unaccent, armenian_stem;

create text search configuration forager_basque (parser = pg_catalog."default");
alter text search configuration forager_basque add mapping for asciihword, asciiword, hword_asciipart with basque_stem;
alter text search configuration forager_basque add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_basque add mapping for hword, hword_part, word with unaccent, basque_stem;

create text search configuration forager_catalan (parser = pg_catalog."default");
alter text search configuration forager_catalan add mapping for asciihword, asciiword, hword_asciipart with catalan_stem;
alter text search configuration forager_catalan add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_catalan add mapping for hword, hword_part, word with unaccent, catalan_stem;

create text search configuration forager_danish (parser = pg_catalog."default");
alter text search configuration forager_danish add mapping for asciihword, asciiword, hword_asciipart with danish_stem;
alter text search configuration forager_danish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_danish add mapping for hword, hword_part, word with unaccent, danish_stem;

create text search configuration forager_dutch (parser = pg_catalog."default");
alter text search configuration forager_dutch add mapping for asciihword, asciiword, hword_asciipart with dutch_stem;
alter text search configuration forager_dutch add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_dutch add mapping for hword, hword_part, word with unaccent, dutch_stem;

create text search configuration forager_english (parser = pg_catalog."default");
alter text search configuration forager_english add mapping for asciihword, asciiword, hword_asciipart with english_stem;
alter text search configuration forager_english add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_english add mapping for hword, hword_part, word with unaccent, english_stem;

create text search configuration forager_finnish (parser = pg_catalog."default");
alter text search configuration forager_finnish add mapping for asciihword, asciiword, hword_asciipart with finnish_stem;
alter text search configuration forager_finnish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_finnish add mapping for hword, hword_part, word with unaccent, finnish_stem;

create text search configuration forager_french (parser = pg_catalog."default");
alter text search configuration forager_french add mapping for asciihword, asciiword, hword_asciipart with french_stem;
alter text search configuration forager_french add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_french add mapping for hword, hword_part, word with unaccent, french_stem;

create text search configuration forager_german (parser = pg_catalog."default");
alter text search configuration forager_german add mapping for asciihword, asciiword, hword_asciipart with german_stem;
alter text search configuration forager_german add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_german add mapping for hword, hword_part, word with unaccent, german_stem;

create text search configuration forager_greek (parser = pg_catalog."default");
alter text search configuration forager_greek add mapping for asciihword, asciiword, hword_asciipart with greek_stem;
alter text search configuration forager_greek add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_greek add mapping for hword, hword_part, word with unaccent, greek_stem;

create text search configuration forager_hindi (parser = pg_catalog."default");
alter text search configuration forager_hindi add mapping for asciihword, asciiword, hword_asciipart with english_stem;
alter text search configuration forager_hindi add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_hindi add mapping for hword, hword_part, word with unaccent, hindi_stem;

create text search configuration forager_hungarian (parser = pg_catalog."default");
alter text search configuration forager_hungarian add mapping for asciihword, asciiword, hword_asciipart with hungarian_stem;
alter text search configuration forager_hungarian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_hungarian add mapping for hword, hword_part, word with unaccent, hungarian_stem;

create text search configuration forager_indonesian (parser = pg_catalog."default");
alter text search configuration forager_indonesian add mapping for asciihword, asciiword, hword_asciipart with indonesian_stem;
alter text search configuration forager_indonesian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_indonesian add mapping for hword, hword_part, word with unaccent, indonesian_stem;

create text search configuration forager_irish (parser = pg_catalog."default");
alter text search configuration forager_irish add mapping for asciihword, asciiword, hword_asciipart with irish_stem;
alter text search configuration forager_irish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_irish add mapping for hword, hword_part, word with unaccent, irish_stem;

create text search configuration forager_italian (parser = pg_catalog."default");
alter text search configuration forager_italian add mapping for asciihword, asciiword, hword_asciipart with italian_stem;
alter text search configuration forager_italian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_italian add mapping for hword, hword_part, word with unaccent, italian_stem;

create text search configuration forager_lithuanian (parser = pg_catalog."default");
alter text search configuration forager_lithuanian add mapping for asciihword, asciiword, hword_asciipart with lithuanian_stem;
alter text search configuration forager_lithuanian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_lithuanian add mapping for hword, hword_part, word with unaccent, lithuanian_stem;

create text search configuration forager_nepali (parser = pg_catalog."default");
alter text search configuration forager_nepali add mapping for asciihword, asciiword, hword_asciipart with nepali_stem;
alter text search configuration forager_nepali add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_nepali add mapping for hword, hword_part, word with unaccent, nepali_stem;

create text search configuration forager_norwegian (parser = pg_catalog."default");
alter text search configuration forager_norwegian add mapping for asciihword, asciiword, hword_asciipart with norwegian_stem;
alter text search configuration forager_norwegian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_norwegian add mapping for hword, hword_part, word with unaccent, norwegian_stem;

create text search configuration forager_portuguese (parser = pg_catalog."default");
alter text search configuration forager_portuguese add mapping for asciihword, asciiword, hword_asciipart with portuguese_stem;
alter text search configuration forager_portuguese add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_portuguese add mapping for hword, hword_part, word with unaccent, portuguese_stem;

create text search configuration forager_romanian (parser = pg_catalog."default");
alter text search configuration forager_romanian add mapping for asciihword, asciiword, hword_asciipart with romanian_stem;
alter text search configuration forager_romanian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_romanian add mapping for hword, hword_part, word with unaccent, romanian_stem;

create text search configuration forager_russian (parser = pg_catalog."default");
alter text search configuration forager_russian add mapping for asciihword, asciiword, hword_asciipart with english_stem;
alter text search configuration forager_russian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_russian add mapping for hword, hword_part, word with unaccent, russian_stem;

create text search configuration forager_serbian (parser = pg_catalog."default");
alter text search configuration forager_serbian add mapping for asciihword, asciiword, hword_asciipart with serbian_stem;
alter text search configuration forager_serbian add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_serbian add mapping for hword, hword_part, word with unaccent, serbian_stem;

create text search configuration forager_simple (parser = pg_catalog."default");
alter text search configuration forager_simple add mapping for asciihword, asciiword, email, file, float, host, hword_asciipart, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_simple add mapping for hword, hword_part, word with unaccent, simple;

create text search configuration forager_spanish (parser = pg_catalog."default");
alter text search configuration forager_spanish add mapping for asciihword, asciiword, hword_asciipart with spanish_stem;
alter text search configuration forager_spanish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_spanish add mapping for hword, hword_part, word with unaccent, spanish_stem;

create text search configuration forager_swedish (parser = pg_catalog."default");
alter text search configuration forager_swedish add mapping for asciihword, asciiword, hword_asciipart with swedish_stem;
alter text search configuration forager_swedish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_swedish add mapping for hword, hword_part, word with unaccent, swedish_stem;

create text search configuration forager_tamil (parser = pg_catalog."default");
alter text search configuration forager_tamil add mapping for asciihword, asciiword, hword_asciipart with tamil_stem;
alter text search configuration forager_tamil add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_tamil add mapping for hword, hword_part, word with unaccent, tamil_stem;

create text search configuration forager_turkish (parser = pg_catalog."default");
alter text search configuration forager_turkish add mapping for asciihword, asciiword, hword_asciipart with turkish_stem;
alter text search configuration forager_turkish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_turkish add mapping for hword, hword_part, word with unaccent, turkish_stem;

create text search configuration forager_yiddish (parser = pg_catalog."default");
alter text search configuration forager_yiddish add mapping for asciihword, asciiword, hword_asciipart with yiddish_stem;
alter text search configuration forager_yiddish add mapping for email, file, float, host, hword_numpart, int, numhword, numword, sfloat, uint, url, url_path, version with simple;
alter text search configuration forager_yiddish add mapping for hword, hword_part, word with unaccent, yiddish_stem;

create type domain_status as enum (
  'pending',
  'active',
  'exhausted',
  'blocked',
  'unreachable'
);

create type run_status as enum (
  'running',
  'interrupted',
  'finished',
  'failed'
);

create type task_status as enum (
  'pending',
  'queued',
  'crawling',
  'downloaded',
  'queued_parse',
  'parsing',
  'completed',
  'failed',
  'paused',
  'cancelled',
  'locked',
  'expired'
);

create type url_state as enum (
  'never_crawled',
  'fetched',
  'failed',
  'blocked'
);

create sequence bot_lock_tokens;

create sequence search_versions;

CREATE OR REPLACE FUNCTION public.search_config(language text)
 RETURNS regconfig
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE split_part(lower(translate(language, '_'::text, '-'::text)), '-'::text, 1) WHEN 'ar'::text THEN 'forager_arabic'::regconfig WHEN 'hy'::text THEN 'forager_armenian'::regconfig WHEN 'eu'::text THEN 'forager_basque'::regconfig WHEN 'ca'::text THEN 'forager_catalan'::regconfig WHEN 'da'::text THEN 'forager_danish'::regconfig WHEN 'nl'::text THEN 'forager_dutch'::regconfig WHEN 'en'::text THEN 'forager_english'::regconfig WHEN 'fi'::text THEN 'forager_finnish'::regconfig WHEN 'fr'::text THEN 'forager_french'::regconfig WHEN 'de'::text THEN 'forager_german'::regconfig WHEN 'el'::text THEN 'forager_greek'::regconfig WHEN 'hi'::text THEN 'forager_hindi'::regconfig WHEN 'hu'::text THEN 'forager_hungarian'::regconfig WHEN 'id'::text THEN 'forager_indonesian'::regconfig WHEN 'ga'::text THEN 'forager_irish'::regconfig WHEN 'it'::text THEN 'forager_italian'::regconfig WHEN 'lt'::text THEN 'forager_lithuanian'::regconfig WHEN 'ne'::text THEN 'forager_nepali'::regconfig WHEN 'no'::text THEN 'forager_norwegian'::regconfig WHEN 'nb'::text THEN 'forager_norwegian'::regconfig WHEN 'nn'::text THEN 'forager_norwegian'::regconfig WHEN 'pt'::text THEN 'forager_portuguese'::regconfig WHEN 'ro'::text THEN 'forager_romanian'::regconfig WHEN 'ru'::text THEN 'forager_russian'::regconfig WHEN 'sr'::text THEN 'forager_serbian'::regconfig WHEN 'es'::text THEN 'forager_spanish'::regconfig WHEN 'sv'::text THEN 'forager_swedish'::regconfig WHEN 'ta'::text THEN 'forager_tamil'::regconfig WHEN 'tr'::text THEN 'forager_turkish'::regconfig WHEN 'yi'::text THEN 'forager_yiddish'::regconfig ELSE 'forager_simple'::regconfig END
;

CREATE OR REPLACE FUNCTION public.spaced_text(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (written ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]'::text) THEN regexp_replace(written, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])'::text, ' \1 '::text, 'g'::text) ELSE written END
;

CREATE OR REPLACE FUNCTION public.search_key(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "left"(lower(unaccent('unaccent'::regdictionary, "left"(written, 200))), 60)
;

CREATE OR REPLACE FUNCTION public.search_text(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (written ~ '[^[:space:]]{200}'::text) THEN regexp_replace(spaced_text(written), '[^[:space:]]{200,}'::text, ' '::text, 'g'::text) ELSE spaced_text(written) END
;

CREATE OR REPLACE FUNCTION public.product_names(language text, name text, brand text, category text, codes text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((setweight(to_tsvector(search_config(language), search_text("left"(name, 1000))), 'A'::"char") || setweight(to_tsvector(search_config(language), ((search_text("left"(brand, 200)) || ' '::text) || search_text("left"(codes, 200)))), 'B'::"char")) || setweight(to_tsvector(search_config(language), search_text("left"(category, 500))), 'C'::"char"))
;

CREATE OR REPLACE FUNCTION public.product_search(language text, name text, brand text, category text, codes text, description text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (product_names(language, name, brand, category, codes) || setweight(to_tsvector(search_config(language), search_text("left"(description, 20000))), 'D'::"char"))
;

create table alerts (
  id bigint generated always as identity not null,
  code text not null,
  subject text default ''::text not null,
  severity text not null,
  message text not null,
  hint text,
  raised_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  resolved_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_severity_check CHECK ((severity = ANY (ARRAY['warning'::text, 'critical'::text])))
);

create table api_keys (
  id bigint generated always as identity not null,
  key_hash bytea not null,
  prefix text not null,
  name text not null,
  user_id bigint,
  role text not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  bot_id bigint,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_check CHECK (((role = 'bot'::text) = (user_id IS NULL))),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint api_keys_of_bot CHECK (((bot_id IS NULL) OR (role = 'bot'::text))),
  constraint api_keys_role_check CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text, 'bot'::text])))
);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  action text not null,
  target text,
  details jsonb default '{}'::jsonb not null,
  address text,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table bot_hours (
  bot_id bigint not null,
  hour timestamp with time zone not null,
  pulls_count integer default 0 not null,
  jobs_count integer default 0 not null,
  success_count integer default 0 not null,
  failures_count integer default 0 not null,
  expired_count integer default 0 not null,
  work_ms bigint default 0 not null,
  constraint bot_hours_pkey PRIMARY KEY (bot_id, hour)
);

create table bot_queues (
  domain_id bigint not null,
  best_priority smallint not null,
  next_at timestamp with time zone not null,
  pulled_at timestamp with time zone,
  constraint bot_queues_pkey PRIMARY KEY (domain_id)
);

create table bot_submissions (
  lock_token bigint not null,
  task_id bigint not null,
  bot_id bigint not null,
  digest bytea not null,
  answer jsonb not null,
  at timestamp with time zone default now() not null,
  constraint bot_submissions_pkey PRIMARY KEY (lock_token)
);

create table bots (
  id bigint generated always as identity not null,
  bot_id text not null,
  description text,
  domains text[],
  max_locks integer default 100 not null,
  max_jobs_per_hour integer,
  pulls_count bigint default 0 not null,
  jobs_count bigint default 0 not null,
  success_count bigint default 0 not null,
  failures_count bigint default 0 not null,
  expired_count bigint default 0 not null,
  work_ms bigint default 0 not null,
  last_pull_at timestamp with time zone,
  last_submit_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint bots_pkey PRIMARY KEY (id),
  constraint bots_bot_id_check CHECK ((bot_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'::text)),
  constraint bots_bot_id_key UNIQUE (bot_id),
  constraint bots_description_check CHECK ((length(description) <= 1000)),
  constraint bots_max_jobs_per_hour_check CHECK ((max_jobs_per_hour > 0)),
  constraint bots_max_locks_check CHECK (((max_locks >= 1) AND (max_locks <= 10000)))
);

create table crawl_batches (
  id bigint generated always as identity not null,
  name text not null,
  paused_at timestamp with time zone,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint crawl_batches_pkey PRIMARY KEY (id),
  constraint crawl_batches_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint crawl_batches_name_check1 CHECK ((name = btrim(name)))
);

create table crawl_log (
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  run_id bigint,
  fetched_at timestamp with time zone default now() not null,
  outcome text not null,
  http_status smallint,
  attempt smallint default 1 not null,
  duration_ms integer not null,
  bytes_count integer default 0 not null,
  discovery_type text default 'discovery'::text not null,
  worker_id text not null,
  message text,
  proxy_id bigint,
  constraint crawl_log_discovery_type_check CHECK ((discovery_type = ANY (ARRAY['discovery'::text, 'refresh'::text])))
) partition by RANGE (fetched_at);

create table crawl_policies (
  id bigint generated always as identity not null,
  domain_id bigint not null,
  url text not null,
  url_hash bytea not null,
  frequency_hours double precision not null,
  priority smallint default 5 not null,
  max_retries smallint default 3 not null,
  retry_backoff_minutes integer default 5 not null,
  timeout_minutes integer default 10 not null,
  executor text default 'forager'::text not null,
  follow_depth smallint default 0 not null,
  follow_limit smallint default 100 not null,
  is_enabled boolean default true not null,
  next_run_at timestamp with time zone default now() not null,
  live_task_id bigint,
  last_run_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  failure_count integer default 0 not null,
  runs_count bigint default 0 not null,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  wanted text default 'price'::text not null,
  constraint crawl_policies_pkey PRIMARY KEY (id),
  constraint crawl_policies_domain_id_url_hash_key UNIQUE (domain_id, url_hash),
  constraint crawl_policies_executor_check CHECK ((executor = ANY (ARRAY['forager'::text, 'bot'::text]))),
  constraint crawl_policies_follow_depth_check CHECK (((follow_depth >= 0) AND (follow_depth <= 5))),
  constraint crawl_policies_follow_limit_check CHECK (((follow_limit >= 1) AND (follow_limit <= 1000))),
  constraint crawl_policies_frequency_hours_check CHECK ((frequency_hours > (0)::double precision)),
  constraint crawl_policies_max_retries_check CHECK (((max_retries >= 0) AND (max_retries <= 20))),
  constraint crawl_policies_priority_check CHECK (((priority >= 1) AND (priority <= 10))),
  constraint crawl_policies_retry_backoff_minutes_check CHECK ((retry_backoff_minutes > 0)),
  constraint crawl_policies_timeout_minutes_check CHECK ((timeout_minutes > 0)),
  constraint crawl_policies_wanted_check CHECK ((wanted = ANY (ARRAY['price'::text, 'page'::text, 'data'::text, 'any'::text])))
);

create table crawl_results (
  id uuid default gen_random_uuid() not null,
  task_id bigint not null,
  domain_id bigint not null,
  bot_id bigint,
  lock_token bigint not null,
  price numeric(20,6),
  currency text,
  title text,
  in_stock boolean,
  parsed_data jsonb,
  has_html boolean default false not null,
  crawled_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint crawl_results_pkey PRIMARY KEY (id),
  constraint crawl_results_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint crawl_results_price_check CHECK ((price >= (0)::numeric)),
  constraint crawl_results_task_id_key UNIQUE (task_id)
);

create table crawl_run_domains (
  run_id bigint not null,
  domain_id bigint not null,
  is_seed boolean default false not null,
  pages_count bigint default 0 not null,
  fetches_count bigint default 0 not null,
  errors_count bigint default 0 not null,
  bytes_count bigint default 0 not null,
  note text,
  pages_allowed bigint,
  constraint crawl_run_domains_pkey PRIMARY KEY (run_id, domain_id)
);

create table crawl_run_tallies (
  run_id bigint not null,
  tally text not null,
  count bigint default 0 not null,
  constraint crawl_run_tallies_pkey PRIMARY KEY (run_id, tally)
);

create table crawl_runs (
  id bigint generated always as identity not null,
  crawl_key bytea not null,
  settings jsonb not null,
  status run_status default 'running'::run_status not null,
  end_reason text,
  max_pages bigint,
  max_pages_per_domain bigint,
  pages_count bigint default 0 not null,
  fetches_count bigint default 0 not null,
  errors_count bigint default 0 not null,
  bytes_count bigint default 0 not null,
  active_ms bigint default 0 not null,
  started_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint crawl_runs_pkey PRIMARY KEY (id)
);

create table crawl_tasks (
  id bigint generated always as identity not null,
  domain_id bigint not null,
  url text not null,
  url_hash bytea not null,
  status task_status default 'pending'::task_status not null,
  moved_by text default 'system'::text not null,
  move_reason text,
  priority smallint default 5 not null,
  scheduled_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  retry_count smallint default 0 not null,
  max_retries smallint default 3 not null,
  lost_count smallint default 0 not null,
  error_message text,
  executor text default 'forager'::text not null,
  policy_id bigint,
  recrawl_count integer default 0 not null,
  batch_id bigint,
  parent_task_id bigint,
  is_waiting boolean default false not null,
  follow_depth smallint default 0 not null,
  follow_limit smallint default 100 not null,
  redirect_count smallint default 0 not null,
  http_status smallint,
  response_time_ms integer,
  final_url text,
  proxy_id bigint,
  fetched_at timestamp with time zone,
  segment_id integer,
  segment_offset bigint,
  segment_length integer,
  locked_by text,
  lock_version bigint,
  locked_at timestamp with time zone,
  locked_until timestamp with time zone,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  wanted text default 'price'::text not null,
  constraint crawl_tasks_pkey PRIMARY KEY (id),
  constraint crawl_tasks_executor_check CHECK ((executor = ANY (ARRAY['forager'::text, 'bot'::text]))),
  constraint crawl_tasks_follow_depth_check CHECK (((follow_depth >= 0) AND (follow_depth <= 5))),
  constraint crawl_tasks_follow_limit_check CHECK (((follow_limit >= 1) AND (follow_limit <= 1000))),
  constraint crawl_tasks_max_retries_check CHECK (((max_retries >= 0) AND (max_retries <= 20))),
  constraint crawl_tasks_priority_check CHECK (((priority >= 1) AND (priority <= 10))),
  constraint crawl_tasks_waits_for_one CHECK (((NOT is_waiting) OR (parent_task_id IS NOT NULL))),
  constraint crawl_tasks_wanted_check CHECK ((wanted = ANY (ARRAY['price'::text, 'page'::text, 'data'::text, 'any'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table dead_letters (
  id bigint generated always as identity not null,
  queue text not null,
  task_id bigint,
  domain_id bigint,
  reason text not null,
  payload jsonb,
  created_at timestamp with time zone default now() not null,
  requeued_at timestamp with time zone,
  requeued_by text,
  constraint dead_letters_pkey PRIMARY KEY (id)
);

create table domain_events (
  id bigint generated always as identity not null,
  domain_id bigint not null,
  at timestamp with time zone default now() not null,
  from_status domain_status not null,
  to_status domain_status not null,
  code text not null,
  reason text,
  actor text,
  run_id bigint,
  next_crawl_after timestamp with time zone,
  constraint domain_events_pkey PRIMARY KEY (id)
);

create table domain_proxies (
  domain_id bigint not null,
  proxy_id bigint not null,
  is_assigned boolean default true not null,
  is_active boolean default true not null,
  disabled_by text,
  disabled_at timestamp with time zone,
  retry_at timestamp with time zone,
  outages_count smallint default 0 not null,
  priority smallint default 5 not null,
  max_requests_per_hour integer,
  failure_count integer default 0 not null,
  success_count bigint default 0 not null,
  failures_total bigint default 0 not null,
  last_used_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_error text,
  avg_response_time_ms integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint domain_proxies_pkey PRIMARY KEY (domain_id, proxy_id),
  constraint domain_proxies_max_requests_per_hour_check CHECK ((max_requests_per_hour > 0)),
  constraint domain_proxies_out CHECK ((is_active OR (disabled_by IS NOT NULL))),
  constraint domain_proxies_priority_check CHECK (((priority >= 1) AND (priority <= 10))),
  constraint domain_proxies_returns CHECK (((retry_at IS NULL) OR ((NOT is_active) AND (disabled_by = 'failures'::text))))
);

create table domain_robots (
  domain_id bigint not null,
  origin text not null,
  access text not null,
  http_status integer,
  body bytea,
  note text,
  crawl_delay_seconds double precision,
  fetched_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint domain_robots_pkey PRIMARY KEY (domain_id, origin),
  constraint domain_robots_access_check CHECK ((access = ANY (ARRAY['parse'::text, 'allow-all'::text, 'disallow-all'::text, 'defer'::text])))
);

create table domain_sitemaps (
  domain_id bigint not null,
  url text not null,
  nesting smallint default 0 not null,
  state text default 'due'::text not null,
  urls_count integer default 0 not null,
  note text,
  found_at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  constraint domain_sitemaps_pkey PRIMARY KEY (domain_id, url),
  constraint domain_sitemaps_state_check CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'failed'::text])))
);

create table domain_status_moves (
  from_status domain_status not null,
  to_status domain_status not null,
  code text not null,
  meaning text not null,
  constraint domain_status_moves_pkey PRIMARY KEY (from_status, to_status, code)
);

create table domains (
  id bigint generated always as identity not null,
  domain text not null,
  parent_domain text not null,
  base_url text not null,
  parser_name text default 'generic'::text not null,
  crawl_delay_ms integer,
  max_concurrent_requests integer,
  default_crawl_frequency interval default '1 day'::interval not null,
  user_agent text,
  is_active boolean default true not null,
  status domain_status default 'pending'::domain_status not null,
  block_reason text,
  block_reason_code text,
  first_blocked_at timestamp with time zone,
  automatic_retry_count integer default 0 not null,
  claimed_by text,
  claim_expires_at timestamp with time zone,
  version bigint default 0 not null,
  pages_discovered bigint default 0 not null,
  pages_crawled bigint default 0 not null,
  images_found bigint default 0 not null,
  images_stored bigint default 0 not null,
  crawl_depth_reached integer default 0 not null,
  max_pages_per_run integer,
  image_yield_rate double precision,
  avg_images_per_page double precision,
  error_rate double precision,
  total_error_count bigint default 0 not null,
  consecutive_error_count integer default 0 not null,
  priority_score integer default 0 not null,
  priority_computed_at timestamp with time zone,
  seed_rank integer,
  source text,
  first_seen_at timestamp with time zone default now() not null,
  last_crawled_at timestamp with time zone,
  next_crawl_after timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  last_crawl_run_id bigint,
  run_id bigint default 0 not null,
  yielded_at timestamp with time zone,
  is_refreshing boolean default false not null,
  consecutive_throttle_count smallint default 0 not null,
  status_code text default 'seeded'::text not null,
  products_found bigint default 0 not null,
  product_yield_rate double precision,
  scope text,
  include text[],
  exclude text[],
  max_depth integer,
  task_priority smallint,
  is_explored boolean default true not null,
  maintenance_start time without time zone,
  maintenance_end time without time zone,
  maintenance_timezone text default 'UTC'::text not null,
  proxy_mode text default 'auto'::text not null,
  proxy_country text,
  proxy_rotation text default 'request'::text not null,
  proxy_requests_per_hour integer,
  images_mode text,
  language text,
  constraint domains_pkey PRIMARY KEY (id),
  constraint domains_crawl_delay_ms_check CHECK ((crawl_delay_ms >= 0)),
  constraint domains_domain_check CHECK (((length(domain) >= 1) AND (length(domain) <= 260))),
  constraint domains_domain_key UNIQUE (domain),
  constraint domains_images_mode_check CHECK ((images_mode = ANY (ARRAY['off'::text, 'products'::text, 'all'::text]))),
  constraint domains_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  constraint domains_maintenance_whole CHECK (((maintenance_start IS NULL) = (maintenance_end IS NULL))),
  constraint domains_max_concurrent_requests_check CHECK ((max_concurrent_requests > 0)),
  constraint domains_max_depth_check CHECK ((max_depth >= 0)),
  constraint domains_max_pages_per_run_check CHECK ((max_pages_per_run > 0)),
  constraint domains_proxy_country_check CHECK ((proxy_country ~ '^[A-Z]{2}$'::text)),
  constraint domains_proxy_mode_check CHECK ((proxy_mode = ANY (ARRAY['auto'::text, 'direct'::text, 'required'::text]))),
  constraint domains_proxy_requests_per_hour_check CHECK ((proxy_requests_per_hour > 0)),
  constraint domains_proxy_rotation_check CHECK ((proxy_rotation = ANY (ARRAY['request'::text, 'sticky'::text]))),
  constraint domains_scope_check CHECK ((scope = ANY (ARRAY['host'::text, 'domain'::text, 'any'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

create table error_logs (
  id bigint generated always as identity not null,
  task_id bigint,
  domain_id bigint not null,
  url text not null,
  category text not null,
  code text not null,
  message text not null,
  stack text,
  http_status smallint,
  attempt smallint default 1 not null,
  worker_id text,
  occurred_at timestamp with time zone default now() not null,
  constraint error_logs_pkey PRIMARY KEY (id),
  constraint error_logs_category_check CHECK ((category = ANY (ARRAY['network'::text, 'http'::text, 'robots'::text, 'parse'::text, 'validation'::text, 'proxy'::text])))
);

create table idempotency_keys (
  owner text not null,
  key text not null,
  fingerprint bytea not null,
  locked_until timestamp with time zone not null,
  status smallint,
  body text,
  location text,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (owner, key)
);

create table image_provenance (
  page_domain_id bigint not null,
  page_url_hash bytea not null,
  image_url_hash bytea not null,
  image_domain text not null,
  image_url text not null,
  product_id bigint,
  "position" integer not null,
  alt text,
  kind text not null,
  discovery_type text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  is_counted boolean default false not null,
  constraint image_provenance_pkey PRIMARY KEY (page_domain_id, page_url_hash, image_url_hash),
  constraint image_provenance_discovery_type_check CHECK ((discovery_type = ANY (ARRAY['discovery'::text, 'refresh'::text]))),
  constraint image_provenance_kind_check CHECK ((kind = ANY (ARRAY['primary'::text, 'gallery'::text, 'page'::text])))
);

create table image_urls (
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  image_id bigint,
  refused_code text,
  refused_reason text,
  fetched_at timestamp with time zone not null,
  constraint image_urls_pkey PRIMARY KEY (domain_id, url_hash)
);

create table images (
  id bigint generated always as identity not null,
  content_hash bytea not null,
  content_type text not null,
  byte_count integer not null,
  width integer not null,
  height integer not null,
  thumbnail_type text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_content_hash_key UNIQUE (content_hash),
  constraint images_height_check CHECK ((height > 0)),
  constraint images_width_check CHECK ((width > 0))
);

create table jobs (
  id bigint generated always as identity not null,
  kind text not null,
  params jsonb not null,
  state text default 'queued'::text not null,
  is_cancel_requested boolean default false not null,
  done_count bigint default 0 not null,
  total_count bigint,
  result jsonb,
  error text,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  runner text,
  runner_until timestamp with time zone,
  attempts_count smallint default 0 not null,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

create table login_throttles (
  subject text not null,
  failures_count integer not null,
  window_ends_at timestamp with time zone not null,
  constraint login_throttles_pkey PRIMARY KEY (subject)
);

create table page_texts (
  domain_id bigint not null,
  url_hash bytea not null,
  page_id bigint not null,
  language text,
  title text,
  text text not null,
  crawled_at timestamp with time zone not null,
  search tsvector generated always as ((setweight(to_tsvector(search_config(language), search_text("left"(COALESCE(title, ''::text), 1000))), 'A'::"char") || setweight(to_tsvector(search_config(language), search_text("left"(text, 50000))), 'D'::"char"))) stored not null,
  constraint page_texts_pkey PRIMARY KEY (domain_id, url_hash)
);

create table pages (
  id bigint generated always as identity not null,
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
  text_length integer default 0 not null,
  links_count integer default 0 not null,
  images_count integer default 0 not null,
  is_noindex boolean default false not null,
  is_nofollow boolean default false not null,
  segment_id integer,
  segment_offset bigint,
  segment_length integer,
  crawl_duration_ms integer not null,
  first_crawled_at timestamp with time zone default now() not null,
  crawled_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone,
  missing_since timestamp with time zone,
  gone_at timestamp with time zone,
  search_hash bytea,
  constraint pages_pkey PRIMARY KEY (domain_id, url_hash)
);

create table parse_hours (
  domain_id bigint not null,
  parser_name text not null,
  parser_version text not null,
  hour timestamp with time zone not null,
  pages_count integer default 0 not null,
  valid_count integer default 0 not null,
  partial_count integer default 0 not null,
  invalid_count integer default 0 not null,
  lost_count integer default 0 not null,
  failed_count integer default 0 not null,
  constraint parse_hours_pkey PRIMARY KEY (domain_id, parser_name, parser_version, hour)
);

create table price_points (
  product_id bigint not null,
  at timestamp with time zone not null,
  price numeric(20,6),
  currency text,
  availability text,
  source text not null,
  task_id bigint,
  constraint price_points_pkey PRIMARY KEY (product_id, at)
);

create table product_events (
  id bigint generated always as identity not null,
  product_id bigint not null,
  domain_id bigint not null,
  at timestamp with time zone not null,
  changes jsonb not null,
  source text not null,
  task_id bigint,
  constraint product_events_pkey PRIMARY KEY (id)
);

create table products (
  id bigint generated always as identity not null,
  domain_id bigint not null,
  url text not null,
  url_hash bytea not null,
  name text,
  price numeric(20,6),
  currency text,
  availability text,
  data jsonb default '{}'::jsonb not null,
  content_hash bytea not null,
  source text not null,
  task_id bigint,
  first_seen_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  description text,
  price_high numeric(20,6),
  list_price numeric(20,6),
  rating numeric(3,2),
  review_count integer,
  brand text,
  category_path text[] default '{}'::text[] not null,
  category text,
  sku text,
  gtin text,
  mpn text,
  image_urls text[] default '{}'::text[] not null,
  variants jsonb default '[]'::jsonb not null,
  fields jsonb default '{}'::jsonb not null,
  language text,
  parser_name text,
  parser_version text,
  verdict text,
  problems jsonb default '[]'::jsonb not null,
  missing_since timestamp with time zone,
  search_language text,
  search_name tsvector generated always as (product_names(COALESCE(search_language, language), COALESCE(name, ''::text), COALESCE(brand, ''::text), COALESCE(category, ''::text), ((((COALESCE(sku, ''::text) || ' '::text) || COALESCE(gtin, ''::text)) || ' '::text) || COALESCE(mpn, ''::text)))) stored not null,
  search tsvector generated always as (product_search(COALESCE(search_language, language), COALESCE(name, ''::text), COALESCE(brand, ''::text), COALESCE(category, ''::text), ((((COALESCE(sku, ''::text) || ' '::text) || COALESCE(gtin, ''::text)) || ' '::text) || COALESCE(mpn, ''::text)), COALESCE(description, ''::text))) stored not null,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_availability_check CHECK ((availability = ANY (ARRAY['in_stock'::text, 'limited'::text, 'preorder'::text, 'backorder'::text, 'in_store_only'::text, 'out_of_stock'::text, 'discontinued'::text]))),
  constraint products_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint products_domain_id_url_hash_key UNIQUE (domain_id, url_hash),
  constraint products_list_price_check CHECK ((list_price >= (0)::numeric)),
  constraint products_price_check CHECK ((price >= (0)::numeric)),
  constraint products_price_high_check CHECK ((price_high >= (0)::numeric)),
  constraint products_rating_check CHECK (((rating >= (0)::numeric) AND (rating <= (5)::numeric))),
  constraint products_review_count_check CHECK ((review_count >= 0)),
  constraint products_verdict_check CHECK ((verdict = ANY (ARRAY['valid'::text, 'partial'::text])))
) with (fillfactor=50);

create table proxies (
  id bigint generated always as identity not null,
  proxy_url text not null,
  proxy_port integer not null,
  proxy_protocol text default 'http'::text not null,
  proxy_username text,
  proxy_password bytea,
  is_shared boolean default true not null,
  is_active boolean default true not null,
  disabled_by text,
  disabled_at timestamp with time zone,
  retry_at timestamp with time zone,
  outages_count smallint default 0 not null,
  failure_count integer default 0 not null,
  success_count bigint default 0 not null,
  failures_total bigint default 0 not null,
  last_used_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_error text,
  avg_response_time_ms integer,
  exit_address inet,
  checked_at timestamp with time zone,
  country_code text,
  city text,
  provider text,
  monthly_cost numeric(10,2),
  max_requests_per_hour integer default 1000 not null,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint proxies_pkey PRIMARY KEY (id),
  constraint proxies_city_check CHECK (((length(city) >= 1) AND (length(city) <= 100))),
  constraint proxies_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
  constraint proxies_max_requests_per_hour_check CHECK ((max_requests_per_hour > 0)),
  constraint proxies_monthly_cost_check CHECK ((monthly_cost >= (0)::numeric)),
  constraint proxies_out CHECK ((is_active OR (disabled_by IS NOT NULL))),
  constraint proxies_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 100))),
  constraint proxies_proxy_port_check CHECK (((proxy_port >= 1) AND (proxy_port <= 65535))),
  constraint proxies_proxy_protocol_check CHECK ((proxy_protocol = ANY (ARRAY['http'::text, 'https'::text, 'socks5'::text]))),
  constraint proxies_proxy_url_check CHECK (((length(proxy_url) >= 1) AND (length(proxy_url) <= 255))),
  constraint proxies_proxy_url_check1 CHECK ((proxy_url = lower(proxy_url))),
  constraint proxies_proxy_username_check CHECK (((length(proxy_username) >= 1) AND (length(proxy_username) <= 255))),
  constraint proxies_returns CHECK (((retry_at IS NULL) OR ((NOT is_active) AND (disabled_by = 'failures'::text))))
);

create table proxy_usage (
  proxy_id bigint not null,
  domain_id bigint not null,
  minute timestamp with time zone not null,
  granted_count integer default 0 not null,
  requests_count integer default 0 not null,
  failures_count integer default 0 not null,
  constraint proxy_usage_pkey PRIMARY KEY (proxy_id, minute, domain_id)
);

create table schedulers (
  id text not null,
  host text not null,
  pid integer not null,
  program_version text not null,
  leads_since timestamp with time zone,
  ticks_count bigint default 0 not null,
  last_tick_at timestamp with time zone,
  last_tick_ms integer,
  started_at timestamp with time zone default now() not null,
  heartbeat_at timestamp with time zone default now() not null,
  stopped_at timestamp with time zone,
  constraint schedulers_pkey PRIMARY KEY (id),
  constraint schedulers_id_check CHECK (((length(id) >= 1) AND (length(id) <= 100)))
);

create table search_labels (
  kind text not null,
  key text not null,
  label text not null,
  products_count integer not null,
  constraint search_labels_pkey PRIMARY KEY (kind, key),
  constraint search_labels_kind_check CHECK ((kind = ANY (ARRAY['brand'::text, 'category'::text])))
);

create table search_languages_due (
  domain_id bigint not null,
  changed_at timestamp with time zone not null,
  after_product bytea default '\x'::bytea not null,
  after_page bytea default '\x'::bytea not null,
  constraint search_languages_due_pkey PRIMARY KEY (domain_id)
);

create table search_marks (
  name text not null,
  at timestamp with time zone not null,
  id bigint not null,
  constraint search_marks_pkey PRIMARY KEY (name)
);

create table search_outbox (
  kind text not null,
  key bigint not null,
  version bigint default nextval('search_versions'::regclass) not null,
  queued_at timestamp with time zone not null,
  attempts_count integer default 0 not null,
  due_at timestamp with time zone not null,
  constraint search_outbox_pkey PRIMARY KEY (kind, key),
  constraint search_outbox_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'page'::text])))
);

create table search_reindexes (
  kind text not null,
  index_name text not null,
  after_id bigint default 0 not null,
  started_at timestamp with time zone not null,
  constraint search_reindexes_pkey PRIMARY KEY (kind)
);

create table search_rejects (
  kind text not null,
  key bigint not null,
  reason text not null,
  at timestamp with time zone not null,
  constraint search_rejects_pkey PRIMARY KEY (kind, key)
);

create table search_targets (
  name text not null,
  registered_at timestamp with time zone not null,
  product_built_at timestamp with time zone,
  page_built_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  failed_at timestamp with time zone,
  failure text,
  constraint search_targets_pkey PRIMARY KEY (name)
);

create table search_words (
  word text not null,
  uses_count integer not null,
  constraint search_words_pkey PRIMARY KEY (word)
);

create table sessions (
  id bigint generated always as identity not null,
  token_hash bytea not null,
  user_id bigint not null,
  address text not null,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash)
);

create table stats_gauges (
  minute timestamp with time zone not null,
  gauge text not null,
  value double precision not null,
  constraint stats_gauges_pkey PRIMARY KEY (minute, gauge)
);

create table stats_minutely (
  minute timestamp with time zone not null,
  worker_id text not null,
  tally text not null,
  count bigint not null,
  constraint stats_minutely_pkey PRIMARY KEY (minute, worker_id, tally)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

create table stats_totals (
  tally text not null,
  count bigint not null,
  constraint stats_totals_pkey PRIMARY KEY (tally)
);

create table task_events (
  task_id bigint not null,
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  from_status task_status,
  to_status task_status not null,
  actor text not null,
  reason text,
  constraint task_events_pkey PRIMARY KEY (task_id, id)
);

create table task_releases (
  task_id bigint not null,
  noted_at timestamp with time zone default now() not null,
  constraint task_releases_pkey PRIMARY KEY (task_id)
);

create table task_status_moves (
  from_status task_status not null,
  to_status task_status not null,
  via task_status[] default '{}'::task_status[] not null,
  meaning text not null,
  constraint task_status_moves_pkey PRIMARY KEY (from_status, to_status)
);

create table upkeep_jobs (
  name text not null,
  ran_at timestamp with time zone not null,
  constraint upkeep_jobs_pkey PRIMARY KEY (name)
);

create table url_removals (
  is_only boolean default true not null,
  times_count bigint default 0 not null,
  constraint url_removals_pkey PRIMARY KEY (is_only),
  constraint url_removals_is_only_check CHECK (is_only)
);

create table url_templates (
  domain_id bigint not null,
  template text not null,
  admitted_count bigint default 0 not null,
  constraint url_templates_pkey PRIMARY KEY (domain_id, template)
);

create table urls (
  domain_id bigint not null,
  url_hash bytea not null,
  url text not null,
  depth smallint not null,
  priority smallint not null,
  state url_state default 'never_crawled'::url_state not null,
  is_seed boolean default false not null,
  redirect_count smallint default 0 not null,
  error_count smallint default 0 not null,
  http_status smallint,
  retry_at timestamp with time zone,
  discovered_at timestamp with time zone default now() not null,
  last_crawled_at timestamp with time zone,
  next_crawl_at timestamp with time zone,
  last_outcome text,
  etag text,
  last_modified text,
  content_hash bytea,
  simhash bigint,
  refresh_seconds integer,
  visits_count integer default 0 not null,
  changes_count integer default 0 not null,
  miss_count smallint default 0 not null,
  is_image boolean default false not null,
  constraint urls_pkey PRIMARY KEY (domain_id, url_hash),
  constraint urls_priority_check CHECK (((priority >= 1) AND (priority <= 3)))
) partition by HASH (domain_id);

create table users (
  id bigint generated always as identity not null,
  username text not null,
  role text not null,
  password_hash text not null,
  password_expires_at timestamp with time zone,
  is_enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  last_login_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text]))),
  constraint users_username_check CHECK ((username ~ '^[a-z0-9][a-z0-9._-]{0,63}$'::text)),
  constraint users_username_key UNIQUE (username)
);

create table warc_segments (
  id integer generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint warc_segments_pkey PRIMARY KEY (id),
  constraint warc_segments_name_key UNIQUE (name)
);

create table webhook_attempts (
  delivery_id bigint not null,
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  http_status smallint,
  duration_ms integer not null,
  error text,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, id)
);

create table webhook_deliveries (
  id bigint generated always as identity not null,
  webhook_id bigint not null,
  message_id text not null,
  event text not null,
  payload jsonb not null,
  state text default 'pending'::text not null,
  attempts_count smallint default 0 not null,
  next_attempt_at timestamp with time zone default now(),
  last_status smallint,
  last_error text,
  created_at timestamp with time zone default now() not null,
  delivered_at timestamp with time zone,
  locked_by text,
  locked_until timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

create table webhooks (
  id bigint generated always as identity not null,
  url text not null,
  description text,
  events text[] not null,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  is_enabled boolean default true not null,
  disabled_reason text,
  failure_count integer default 0 not null,
  created_by text default 'system'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint webhooks_pkey PRIMARY KEY (id)
);

create table worker_tallies (
  worker_id text not null,
  tally text not null,
  count bigint default 0 not null,
  constraint worker_tallies_pkey PRIMARY KEY (worker_id, tally)
);

create table workers (
  id text not null,
  incarnation text not null,
  kind text not null,
  run_id bigint default 0 not null,
  host text not null,
  machine text not null,
  pid integer not null,
  process_mark text not null,
  program_version text not null,
  state text default 'running'::text not null,
  domains_count integer default 0 not null,
  in_flight_count integer default 0 not null,
  wanted_count integer default 0 not null,
  pages_count bigint default 0 not null,
  fetches_count bigint default 0 not null,
  errors_count bigint default 0 not null,
  bytes_count bigint default 0 not null,
  started_at timestamp with time zone default now() not null,
  heartbeat_at timestamp with time zone default now() not null,
  stopped_at timestamp with time zone,
  duties text[] default '{crawl,parse}'::text[] not null,
  constraint workers_pkey PRIMARY KEY (id),
  constraint workers_duties_check CHECK (((duties <@ '{crawl,parse}'::text[]) AND (cardinality(duties) > 0))),
  constraint workers_id_check CHECK (((length(id) >= 1) AND (length(id) <= 100))),
  constraint workers_kind_check CHECK ((kind = ANY (ARRAY['worker'::text, 'crawl'::text]))),
  constraint workers_state_check CHECK ((state = ANY (ARRAY['running'::text, 'draining'::text, 'stopped'::text])))
);

create table crawl_log_default partition of crawl_log DEFAULT;

create table urls_0 partition of urls FOR VALUES WITH (modulus 8, remainder 0) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_1 partition of urls FOR VALUES WITH (modulus 8, remainder 1) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_2 partition of urls FOR VALUES WITH (modulus 8, remainder 2) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_3 partition of urls FOR VALUES WITH (modulus 8, remainder 3) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_4 partition of urls FOR VALUES WITH (modulus 8, remainder 4) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_5 partition of urls FOR VALUES WITH (modulus 8, remainder 5) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_6 partition of urls FOR VALUES WITH (modulus 8, remainder 6) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

create table urls_7 partition of urls FOR VALUES WITH (modulus 8, remainder 7) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000);

alter table api_keys add constraint api_keys_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table api_keys add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table bot_hours add constraint bot_hours_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table bot_queues add constraint bot_queues_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table bot_submissions add constraint bot_submissions_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table crawl_policies add constraint crawl_policies_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table crawl_results add constraint crawl_results_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE SET NULL;

alter table crawl_results add constraint crawl_results_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table crawl_results add constraint crawl_results_task_id_fkey FOREIGN KEY (task_id) REFERENCES crawl_tasks(id) ON DELETE CASCADE;

alter table crawl_run_domains add constraint crawl_run_domains_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table crawl_run_domains add constraint crawl_run_domains_run_id_fkey FOREIGN KEY (run_id) REFERENCES crawl_runs(id) ON DELETE CASCADE;

alter table crawl_run_tallies add constraint crawl_run_tallies_run_id_fkey FOREIGN KEY (run_id) REFERENCES crawl_runs(id) ON DELETE CASCADE;

alter table crawl_tasks add constraint crawl_tasks_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES crawl_batches(id) ON DELETE SET NULL;

alter table crawl_tasks add constraint crawl_tasks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table crawl_tasks add constraint crawl_tasks_parent_task_id_fkey FOREIGN KEY (parent_task_id) REFERENCES crawl_tasks(id) ON DELETE SET NULL;

alter table crawl_tasks add constraint crawl_tasks_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES crawl_policies(id) ON DELETE SET NULL;

alter table domain_events add constraint domain_events_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table domain_proxies add constraint domain_proxies_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table domain_proxies add constraint domain_proxies_proxy_id_fkey FOREIGN KEY (proxy_id) REFERENCES proxies(id) ON DELETE CASCADE;

alter table domain_robots add constraint domain_robots_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table domain_sitemaps add constraint domain_sitemaps_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table domains add constraint domains_last_crawl_run_id_fkey FOREIGN KEY (last_crawl_run_id) REFERENCES crawl_runs(id) ON DELETE SET NULL;

alter table image_provenance add constraint image_provenance_page_domain_id_fkey FOREIGN KEY (page_domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table image_provenance add constraint image_provenance_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE SET NULL;

alter table image_urls add constraint image_urls_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table image_urls add constraint image_urls_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL;

alter table page_texts add constraint page_texts_domain_id_url_hash_fkey FOREIGN KEY (domain_id, url_hash) REFERENCES pages(domain_id, url_hash) ON UPDATE CASCADE ON DELETE CASCADE;

alter table parse_hours add constraint parse_hours_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table price_points add constraint price_points_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table product_events add constraint product_events_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table product_events add constraint product_events_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table products add constraint products_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table search_languages_due add constraint search_languages_due_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table url_templates add constraint url_templates_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE;

alter table webhook_attempts add constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

CREATE OR REPLACE FUNCTION public.date_task_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.forager_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN now()
;

CREATE OR REPLACE FUNCTION public.maintenance_ends(starts time without time zone, ends time without time zone, zone text, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN ((starts IS NULL) OR (starts = ends)) THEN NULL::timestamp with time zone WHEN ((starts < ends) AND (((at AT TIME ZONE zone))::time without time zone >= starts) AND (((at AT TIME ZONE zone))::time without time zone < ends)) THEN ((((at AT TIME ZONE zone))::date + ends) AT TIME ZONE zone) WHEN ((starts > ends) AND (((at AT TIME ZONE zone))::time without time zone >= starts)) THEN (((((at AT TIME ZONE zone))::date + 1) + ends) AT TIME ZONE zone) WHEN ((starts > ends) AND (((at AT TIME ZONE zone))::time without time zone < ends)) THEN ((((at AT TIME ZONE zone))::date + ends) AT TIME ZONE zone) ELSE NULL::timestamp with time zone END
;

CREATE OR REPLACE FUNCTION public.note_bot_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.note_for_search(noted_kind text, keys bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into search_outbox as o (kind, key, queued_at, due_at)
  select noted_kind, k, forager_now(), forager_now() from (select distinct unnest(keys) order by 1) as t (k)
  on conflict (kind, key) do update
     set version = nextval('search_versions'), attempts_count = 0, due_at = excluded.due_at
$function$
;

CREATE OR REPLACE FUNCTION public.note_language_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_languages_due (domain_id, changed_at) values (new.id, forager_now())
  on conflict (domain_id) do update set changed_at = excluded.changed_at, after_product = '', after_page = '';
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_new_bot_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.note_pages_for_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform note_for_search('page', (select array_agg(page_id) from old_rows));
  else
    perform note_for_search('page', (select array_agg(page_id) from new_rows));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_products_for_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform note_for_search('product', (select array_agg(id) from new_rows));
  elsif tg_op = 'DELETE' then
    perform note_for_search('product', (select array_agg(id) from old_rows));
  else
    perform note_for_search('product', (
      select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
       where (n.name, n.description, n.brand, n.category, n.sku, n.gtin, n.mpn, n.language, n.price, n.currency,
              n.availability, n.rating, n.domain_id, n.updated_at, n.missing_since is null)
         is distinct from
             (o.name, o.description, o.brand, o.category, o.sku, o.gtin, o.mpn, o.language, o.price, o.currency,
              o.availability, o.rating, o.domain_id, o.updated_at, o.missing_since is null)));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.record_domain_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into domain_events (domain_id, at, from_status, to_status, code, reason, actor, run_id, next_crawl_after)
  values (new.id, forager_now(), old.status, new.status, new.status_code,
          coalesce(nullif(current_setting('forager.reason', true), ''), new.block_reason),
          coalesce(nullif(current_setting('forager.actor', true), ''), new.claimed_by, old.claimed_by),
          new.last_crawl_run_id, new.next_crawl_after);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_new_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into task_events (task_id, at, from_status, to_status, actor, reason)
  select id, forager_now() + (clock_timestamp() - now()), null, status, created_by, move_reason from new_tasks;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_task_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_hashjoin TO 'on'
 SET enable_mergejoin TO 'on'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_illegal_domain_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from domain_status_moves
                  where from_status = old.status and to_status = new.status and code = new.status_code) then
    raise exception 'domain % may not move from % to % (%)', old.domain, old.status, new.status, new.status_code
      using errcode = 'check_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.similar_words(wanted text, most integer)
 RETURNS TABLE(word text, uses_count integer)
 LANGUAGE sql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
  select w.word, w.uses_count from search_words w
   where w.word % wanted
   order by similarity(w.word, wanted) desc, w.uses_count desc, w.word
   limit most
$function$
;

CREATE OR REPLACE FUNCTION public.tell_of_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform tell_webhooks(case when new.resolved_at is null then 'alert.raised' else 'alert.resolved' end,
            forager_now(),
            jsonb_build_object('alertId', new.id, 'code', new.code, 'subject', new.subject,
                               'severity', new.severity, 'message', new.message, 'hint', new.hint));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_of_blocked_domain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform tell_webhooks('domain.blocked', forager_now(),
            jsonb_build_object('domain', new.domain, 'status', new.status, 'code', new.status_code,
                               'reason', new.block_reason, 'until', to_jsonb(new.next_crawl_after)));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_webhooks(event_name text, happened_at timestamp with time zone, data jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
    insert into webhook_deliveries (webhook_id, message_id, event, payload, next_attempt_at, created_at)
    select w.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), event_name,
           jsonb_build_object('type', event_name, 'timestamp', to_jsonb(happened_at), 'data', data),
           forager_now(), forager_now()
      from webhooks w
     where w.is_enabled and event_name = any(w.events)
$function$
;

CREATE OR REPLACE FUNCTION public.wake_bot_queue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update bot_queues set next_at = least(next_at, forager_now()) where domain_id = new.id;
  if found then perform pg_notify('forager_bots', ''); end if;
  return null;
end $function$
;

create view domain_priorities as
 SELECT id,
    seed_rank,
    pages_discovered,
    pages_crawled,
    image_yield_rate,
    product_yield_rate,
    avg_images_per_page,
    error_rate,
    idle_days,
    rank_points,
    image_points,
    product_points,
    remaining_points,
    error_points,
    staleness_points,
    GREATEST('-1000000'::integer, LEAST(1000000, (((((rank_points + image_points) + product_points) + remaining_points) + error_points) + staleness_points))) AS score
   FROM ( SELECT q.id,
            q.seed_rank,
            q.pages_discovered,
            q.pages_crawled,
            q.image_yield_rate,
            q.product_yield_rate,
            q.avg_images_per_page,
            q.error_rate,
            q.idle_days,
            (
                CASE
                    WHEN (q.seed_rank IS NULL) THEN (0)::double precision
                    ELSE round(((1000)::double precision * GREATEST((0)::double precision, ((1)::double precision - (log((GREATEST(q.seed_rank, 1))::double precision) / (6)::double precision)))))
                END)::integer AS rank_points,
            (round((LEAST(COALESCE(q.image_yield_rate, (0)::double precision), (500)::double precision) * (1000)::double precision)))::integer AS image_points,
            (round((LEAST(COALESCE(q.product_yield_rate, (0)::double precision), (500)::double precision) * (1000)::double precision)))::integer AS product_points,
            ((LEAST(GREATEST((q.pages_discovered - q.pages_crawled), (0)::bigint), (500)::bigint) * 2))::integer AS remaining_points,
            (round((COALESCE(q.error_rate, (0)::double precision) * ('-500'::integer)::double precision)))::integer AS error_points,
            (round((LEAST(q.idle_days, (365)::double precision) * (5)::double precision)))::integer AS staleness_points
           FROM ( SELECT d.id,
                    d.seed_rank,
                    d.pages_discovered,
                    d.pages_crawled,
                    ((d.images_stored)::double precision / (NULLIF(d.pages_crawled, 0))::double precision) AS image_yield_rate,
                    ((d.products_found)::double precision / (NULLIF(d.pages_crawled, 0))::double precision) AS product_yield_rate,
                    ((d.images_found)::double precision / (NULLIF(d.pages_crawled, 0))::double precision) AS avg_images_per_page,
                    ((d.total_error_count)::double precision / (NULLIF((d.pages_crawled + d.total_error_count), 0))::double precision) AS error_rate,
                    (GREATEST((0)::numeric, (EXTRACT(epoch FROM (forager_now() - COALESCE(d.last_crawled_at, d.first_seen_at))) / (86400)::numeric)))::double precision AS idle_days
                   FROM domains d) q) t;

CREATE UNIQUE INDEX alerts_one_open ON alerts USING btree (code, subject) WHERE (resolved_at IS NULL);

CREATE INDEX api_keys_bot ON api_keys USING btree (bot_id) WHERE (bot_id IS NOT NULL);

CREATE INDEX api_keys_user ON api_keys USING btree (user_id);

CREATE INDEX audit_log_action ON audit_log USING btree (action, at, id);

CREATE INDEX audit_log_actor ON audit_log USING btree (actor, at, id);

CREATE INDEX audit_log_at ON audit_log USING btree (at, id);

CREATE INDEX bot_hours_hour ON bot_hours USING btree (hour);

CREATE INDEX bot_queues_order ON bot_queues USING btree (best_priority, pulled_at NULLS FIRST, domain_id) INCLUDE (next_at);

CREATE INDEX bot_submissions_at ON bot_submissions USING btree (at);

CREATE INDEX bot_submissions_task ON bot_submissions USING btree (task_id, bot_id, lock_token);

CREATE UNIQUE INDEX crawl_batches_name ON crawl_batches USING btree (name);

CREATE INDEX crawl_log_url ON crawl_log USING btree (domain_id, url_hash, fetched_at);

CREATE INDEX crawl_policies_due ON crawl_policies USING btree (next_run_at) WHERE (is_enabled AND (live_task_id IS NULL));

CREATE INDEX crawl_policies_live ON crawl_policies USING btree (live_task_id) WHERE (live_task_id IS NOT NULL);

CREATE INDEX crawl_policies_next_run ON crawl_policies USING btree (next_run_at, id);

CREATE INDEX crawl_results_bot ON crawl_results USING btree (bot_id) WHERE (bot_id IS NOT NULL);

CREATE INDEX crawl_results_domain ON crawl_results USING btree (domain_id, created_at, id);

CREATE INDEX crawl_run_domains_domain ON crawl_run_domains USING btree (domain_id);

CREATE UNIQUE INDEX crawl_runs_one_unfinished ON crawl_runs USING btree (crawl_key) WHERE (finished_at IS NULL);

CREATE INDEX crawl_tasks_batch ON crawl_tasks USING btree (batch_id, id) WHERE (batch_id IS NOT NULL);

CREATE INDEX crawl_tasks_batch_pages ON crawl_tasks USING btree (batch_id, url_hash) WHERE ((batch_id IS NOT NULL) AND (status = ANY (ARRAY['completed'::task_status, 'failed'::task_status, 'cancelled'::task_status, 'expired'::task_status])));

CREATE INDEX crawl_tasks_bot_pending ON crawl_tasks USING btree (domain_id, priority, scheduled_at, id) WHERE ((status = 'pending'::task_status) AND (NOT is_waiting) AND (executor = 'bot'::text));

CREATE INDEX crawl_tasks_creator ON crawl_tasks USING btree (created_by, id);

CREATE INDEX crawl_tasks_domain ON crawl_tasks USING btree (domain_id, id);

CREATE INDEX crawl_tasks_downloaded ON crawl_tasks USING btree (updated_at) WHERE (status = 'downloaded'::task_status);

CREATE INDEX crawl_tasks_due ON crawl_tasks USING btree (priority, scheduled_at, id) INCLUDE (domain_id) WHERE ((status = 'pending'::task_status) AND (NOT is_waiting) AND (executor = 'forager'::text));

CREATE INDEX crawl_tasks_failed ON crawl_tasks USING btree (domain_id, completed_at) WHERE (status = 'failed'::task_status);

CREATE INDEX crawl_tasks_in_hand ON crawl_tasks USING btree (domain_id) WHERE (status = 'crawling'::task_status);

CREATE INDEX crawl_tasks_locked ON crawl_tasks USING btree (domain_id) WHERE (status = 'locked'::task_status);

CREATE INDEX crawl_tasks_locked_by ON crawl_tasks USING btree (locked_by, id) WHERE (status = 'locked'::task_status);

CREATE INDEX crawl_tasks_locks ON crawl_tasks USING btree (locked_until) WHERE (status = ANY (ARRAY['parsing'::task_status, 'locked'::task_status]));

CREATE UNIQUE INDEX crawl_tasks_one_live ON crawl_tasks USING btree (domain_id, url_hash) WHERE (status = ANY (ARRAY['pending'::task_status, 'queued'::task_status, 'crawling'::task_status, 'downloaded'::task_status, 'queued_parse'::task_status, 'parsing'::task_status, 'paused'::task_status, 'locked'::task_status]));

CREATE INDEX crawl_tasks_parent ON crawl_tasks USING btree (parent_task_id, id) WHERE (parent_task_id IS NOT NULL);

CREATE INDEX crawl_tasks_policy ON crawl_tasks USING btree (policy_id, id) WHERE (policy_id IS NOT NULL);

CREATE INDEX crawl_tasks_queued ON crawl_tasks USING btree (domain_id, priority, scheduled_at, id) WHERE (status = 'queued'::task_status);

CREATE INDEX crawl_tasks_status ON crawl_tasks USING btree (status, id);

CREATE INDEX crawl_tasks_to_parse ON crawl_tasks USING btree (priority, scheduled_at, id) WHERE (status = 'queued_parse'::task_status);

CREATE INDEX crawl_tasks_waiting ON crawl_tasks USING btree (parent_task_id, id) WHERE is_waiting;

CREATE INDEX dead_letters_open ON dead_letters USING btree (id) WHERE (requeued_at IS NULL);

CREATE INDEX dead_letters_open_domain ON dead_letters USING btree (domain_id, id) WHERE (requeued_at IS NULL);

CREATE INDEX dead_letters_open_queue ON dead_letters USING btree (queue, id) WHERE (requeued_at IS NULL);

CREATE UNIQUE INDEX dead_letters_task ON dead_letters USING btree (task_id) WHERE ((task_id IS NOT NULL) AND (requeued_at IS NULL));

CREATE INDEX domain_events_domain ON domain_events USING btree (domain_id, id DESC);

CREATE INDEX domain_proxies_assigned ON domain_proxies USING btree (domain_id) WHERE is_assigned;

CREATE INDEX domain_proxies_of_proxy ON domain_proxies USING btree (proxy_id, domain_id) WHERE is_assigned;

CREATE INDEX domain_proxies_proxy ON domain_proxies USING btree (proxy_id, domain_id);

CREATE INDEX domain_sitemaps_due ON domain_sitemaps USING btree (domain_id, nesting) WHERE (state = 'due'::text);

CREATE INDEX domains_claimable ON domains USING btree (run_id, COALESCE(yielded_at, '-infinity'::timestamp with time zone), ((status = 'active'::domain_status)) DESC, priority_score DESC, last_crawled_at NULLS FIRST, id) WHERE ((status = ANY (ARRAY['pending'::domain_status, 'active'::domain_status])) AND is_active AND (claimed_by IS NULL) AND (next_crawl_after IS NULL));

CREATE INDEX domains_claimed ON domains USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);

CREATE INDEX domains_in_order_of_arrival ON domains USING btree (run_id, COALESCE(yielded_at, '-infinity'::timestamp with time zone), ((status = 'active'::domain_status)) DESC, seed_rank, id) WHERE ((status = ANY (ARRAY['pending'::domain_status, 'active'::domain_status])) AND is_active AND (claimed_by IS NULL) AND (next_crawl_after IS NULL));

CREATE INDEX domains_lease_ends ON domains USING btree (claim_expires_at) WHERE (claimed_by IS NOT NULL);

CREATE INDEX domains_leased_for_run ON domains USING btree (last_crawl_run_id) WHERE (claimed_by IS NOT NULL);

CREATE INDEX domains_needing_proxy ON domains USING btree (id) WHERE ((proxy_mode = 'required'::text) OR (proxy_country IS NOT NULL));

CREATE INDEX domains_of_run ON domains USING btree (run_id) WHERE (run_id <> 0);

CREATE INDEX domains_parent ON domains USING btree (parent_domain);

CREATE INDEX domains_refresh_due ON domains USING btree (run_id, next_crawl_after) WHERE ((next_crawl_after IS NOT NULL) AND (claimed_by IS NULL) AND is_active AND (status = 'exhausted'::domain_status));

CREATE INDEX domains_status ON domains USING btree (status);

CREATE INDEX domains_waking ON domains USING btree (next_crawl_after) WHERE ((next_crawl_after IS NOT NULL) AND (claimed_by IS NULL) AND is_active AND (status <> 'exhausted'::domain_status));

CREATE INDEX domains_with_maintenance ON domains USING btree (id) WHERE (maintenance_start IS NOT NULL);

CREATE INDEX domains_with_tasks ON domains USING btree (run_id, task_priority, last_crawled_at NULLS FIRST, id) WHERE ((status = ANY (ARRAY['pending'::domain_status, 'active'::domain_status])) AND is_active AND (claimed_by IS NULL) AND (next_crawl_after IS NULL) AND (task_priority IS NOT NULL));

CREATE INDEX domains_without_proxy ON domains USING btree (id) WHERE (block_reason_code = 'no_proxy'::text);

CREATE INDEX error_logs_at ON error_logs USING btree (occurred_at, id);

CREATE INDEX error_logs_category ON error_logs USING btree (category, occurred_at, id);

CREATE INDEX error_logs_code ON error_logs USING btree (code, occurred_at, id);

CREATE INDEX error_logs_domain ON error_logs USING btree (domain_id, occurred_at, id);

CREATE INDEX error_logs_task ON error_logs USING btree (task_id, occurred_at, id) WHERE (task_id IS NOT NULL);

CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

CREATE INDEX image_provenance_counted ON image_provenance USING btree (page_domain_id, image_url_hash) WHERE is_counted;

CREATE INDEX image_provenance_image ON image_provenance USING btree (image_url_hash, page_domain_id);

CREATE INDEX image_provenance_product ON image_provenance USING btree (product_id) WHERE (product_id IS NOT NULL);

CREATE INDEX image_urls_hash ON image_urls USING btree (url_hash);

CREATE INDEX image_urls_image ON image_urls USING btree (image_id) WHERE (image_id IS NOT NULL);

CREATE INDEX image_urls_refused ON image_urls USING btree (fetched_at, domain_id, url_hash) WHERE (refused_code IS NOT NULL);

CREATE INDEX jobs_unfinished ON jobs USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX page_texts_crawled ON page_texts USING btree (crawled_at, page_id);

CREATE UNIQUE INDEX page_texts_page ON page_texts USING btree (page_id);

CREATE INDEX page_texts_search ON page_texts USING gin (search) WITH (gin_pending_list_limit='1024');

CREATE INDEX page_texts_search_config ON page_texts USING btree (((search_config(language))::oid));

CREATE INDEX pages_domain ON pages USING btree (domain_id, id);

CREATE UNIQUE INDEX pages_id ON pages USING btree (id);

CREATE INDEX pages_search_due ON pages USING btree (id) WHERE (
CASE
    WHEN (is_noindex OR (gone_at IS NOT NULL)) THEN NULL::bytea
    ELSE content_hash
END IS DISTINCT FROM search_hash);

CREATE INDEX parse_hours_hour ON parse_hours USING btree (hour);

CREATE INDEX product_events_at ON product_events USING btree (at, id);

CREATE INDEX product_events_domain ON product_events USING btree (domain_id, at, id);

CREATE INDEX product_events_product ON product_events USING btree (product_id, id);

CREATE INDEX products_brand ON products USING btree (lower(brand), id) WHERE (brand IS NOT NULL);

CREATE INDEX products_category ON products USING btree (lower(category) text_pattern_ops, id) WHERE (category IS NOT NULL);

CREATE INDEX products_domain ON products USING btree (domain_id, id);

CREATE INDEX products_missing ON products USING btree (id) WHERE (missing_since IS NOT NULL);

CREATE INDEX products_name_key ON products USING btree (search_key(name) text_pattern_ops) WHERE (name IS NOT NULL);

CREATE INDEX products_price ON products USING btree (price, id) WHERE (price IS NOT NULL);

CREATE INDEX products_rating ON products USING btree (rating, id) WHERE (rating IS NOT NULL);

CREATE INDEX products_search ON products USING gin (search) WITH (gin_pending_list_limit='1024');

CREATE INDEX products_search_config ON products USING btree (((search_config(COALESCE(search_language, language)))::oid));

CREATE INDEX products_search_name ON products USING gin (search_name) WITH (gin_pending_list_limit='1024');

CREATE INDEX products_updated ON products USING btree (updated_at, id);

CREATE UNIQUE INDEX proxies_place ON proxies USING btree (proxy_protocol, proxy_url, proxy_port, COALESCE(proxy_username, ''::text));

CREATE INDEX proxies_returning ON proxies USING btree (retry_at) WHERE (retry_at IS NOT NULL);

CREATE INDEX proxies_shared ON proxies USING btree (last_used_at NULLS FIRST, id) WHERE is_shared;

CREATE INDEX proxy_usage_domain ON proxy_usage USING btree (domain_id, minute);

CREATE INDEX proxy_usage_minute ON proxy_usage USING btree (minute);

CREATE INDEX search_labels_1 ON search_labels USING btree ("left"(key, 1), products_count DESC);

CREATE INDEX search_labels_2 ON search_labels USING btree ("left"(key, 2), products_count DESC);

CREATE INDEX search_labels_3 ON search_labels USING btree ("left"(key, 3), products_count DESC);

CREATE INDEX search_outbox_due ON search_outbox USING btree (due_at, version);

CREATE INDEX search_outbox_queued ON search_outbox USING btree (queued_at);

CREATE INDEX search_words_similar ON search_words USING gin (word gin_trgm_ops);

CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);

CREATE INDEX sessions_user ON sessions USING btree (user_id);

CREATE INDEX stats_minutely_of_workers ON stats_minutely USING btree (minute) WHERE (worker_id <> ''::text);

CREATE INDEX urls_frontier ON urls USING btree (domain_id, priority DESC, depth, discovered_at) WHERE ((state = 'never_crawled'::url_state) AND (retry_at IS NULL));

CREATE INDEX urls_images ON urls USING btree (domain_id, discovered_at) WHERE (is_image AND (state = 'never_crawled'::url_state) AND (retry_at IS NULL));

CREATE INDEX urls_missing ON urls USING btree (domain_id, next_crawl_at) WHERE ((state = 'fetched'::url_state) AND (miss_count > 0));

CREATE INDEX urls_refresh ON urls USING btree (domain_id, next_crawl_at) WHERE ((state = 'fetched'::url_state) AND (miss_count = 0));

CREATE INDEX urls_retry ON urls USING btree (domain_id, retry_at) WHERE ((state = 'never_crawled'::url_state) AND (retry_at IS NOT NULL));

CREATE INDEX urls_troubled ON urls USING btree (domain_id, url_hash) WHERE (state = ANY (ARRAY['failed'::url_state, 'blocked'::url_state]));

CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (webhook_id, next_attempt_at, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_unsent ON webhook_deliveries USING btree (webhook_id, state, id) WHERE (state <> 'delivered'::text);

CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, id);

CREATE INDEX workers_heartbeat ON workers USING btree (heartbeat_at) WHERE (state <> 'stopped'::text);

CREATE TRIGGER alerts_tell_raised AFTER INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION tell_of_alert();

CREATE TRIGGER alerts_tell_resolved AFTER UPDATE OF resolved_at ON alerts FOR EACH ROW WHEN (((old.resolved_at IS NULL) AND (new.resolved_at IS NOT NULL))) EXECUTE FUNCTION tell_of_alert();

CREATE TRIGGER crawl_tasks_date_moves BEFORE UPDATE ON crawl_tasks FOR EACH ROW EXECUTE FUNCTION date_task_move();

CREATE TRIGGER crawl_tasks_note_bot_jobs AFTER UPDATE ON crawl_tasks REFERENCING OLD TABLE AS old_tasks NEW TABLE AS new_tasks FOR EACH STATEMENT EXECUTE FUNCTION note_bot_jobs();

CREATE TRIGGER crawl_tasks_note_new_bot_jobs AFTER INSERT ON crawl_tasks REFERENCING NEW TABLE AS new_tasks FOR EACH STATEMENT EXECUTE FUNCTION note_new_bot_jobs();

CREATE TRIGGER crawl_tasks_record_moves AFTER UPDATE ON crawl_tasks REFERENCING OLD TABLE AS old_tasks NEW TABLE AS new_tasks FOR EACH STATEMENT EXECUTE FUNCTION record_task_moves();

CREATE TRIGGER crawl_tasks_record_new AFTER INSERT ON crawl_tasks REFERENCING NEW TABLE AS new_tasks FOR EACH STATEMENT EXECUTE FUNCTION record_new_tasks();

CREATE TRIGGER domains_language_changed AFTER UPDATE OF language ON domains FOR EACH ROW WHEN ((old.language IS DISTINCT FROM new.language)) EXECUTE FUNCTION note_language_change();

CREATE TRIGGER domains_legal_moves BEFORE UPDATE OF status ON domains FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION refuse_illegal_domain_move();

CREATE TRIGGER domains_record_moves AFTER UPDATE OF status ON domains FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION record_domain_move();

CREATE TRIGGER domains_tell_blocked AFTER UPDATE OF status ON domains FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['blocked'::domain_status, 'unreachable'::domain_status])))) EXECUTE FUNCTION tell_of_blocked_domain();

CREATE TRIGGER domains_wake_bot_queue AFTER UPDATE OF is_active, status, next_crawl_after, max_concurrent_requests, maintenance_start, maintenance_end, maintenance_timezone ON domains FOR EACH ROW WHEN (((new.is_active AND (NOT old.is_active)) OR (new.max_concurrent_requests IS DISTINCT FROM old.max_concurrent_requests) OR (new.maintenance_start IS DISTINCT FROM old.maintenance_start) OR (new.maintenance_end IS DISTINCT FROM old.maintenance_end) OR (new.maintenance_timezone IS DISTINCT FROM old.maintenance_timezone) OR ((old.next_crawl_after > forager_now()) AND (old.status = ANY (ARRAY['pending'::domain_status, 'active'::domain_status])) AND (old.block_reason_code IS DISTINCT FROM 'no_proxy'::text) AND ((new.next_crawl_after IS NULL) OR (new.next_crawl_after < old.next_crawl_after) OR (new.status <> ALL (ARRAY['pending'::domain_status, 'active'::domain_status])))))) EXECUTE FUNCTION wake_bot_queue();

CREATE TRIGGER page_texts_deleted_for_search AFTER DELETE ON page_texts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_pages_for_search();

CREATE TRIGGER page_texts_inserted_for_search AFTER INSERT ON page_texts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_pages_for_search();

CREATE TRIGGER page_texts_updated_for_search AFTER UPDATE ON page_texts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_pages_for_search();

CREATE TRIGGER products_deleted_for_search AFTER DELETE ON products REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_products_for_search();

CREATE TRIGGER products_inserted_for_search AFTER INSERT ON products REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_products_for_search();

CREATE TRIGGER products_updated_for_search AFTER UPDATE ON products REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_products_for_search();
