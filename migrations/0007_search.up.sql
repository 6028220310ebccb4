-- Search over products and over the text of pages, and what an Elasticsearch or OpenSearch is told of them.

-- Both are in PostgreSQL's contrib, and may be made by the owner of the database.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- ── Languages ───────────────────────────────────────────────────────────────────────────────────────

-- PostgreSQL's own configurations with unaccent in front: "cafe" finds "café", and either is stemmed alike.
do $$
declare
  language text;
begin
  foreach language in array array['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish',
    'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali',
    'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish', 'swedish', 'tamil', 'turkish',
    'yiddish']
  loop
    execute format('create text search configuration forager_%s (copy = pg_catalog.%1$s)', language);
    execute format('alter text search configuration forager_%1$s alter mapping for hword, hword_part, word
                    with unaccent, %2$s', language, case language when 'simple' then 'simple' else language || '_stem' end);
  end loop;
end
$$;

-- The configuration for a language as pages declare it: "en", "en-GB", "pt_BR". Languages without one, and those that
-- are not known, are searched word by word as they stand.
create function search_config(language text) returns regconfig immutable parallel safe
return case split_part(lower(translate(language, '_', '-')), '-', 1)
  when 'ar' then 'forager_arabic'::regconfig when 'hy' then 'forager_armenian'::regconfig
  when 'eu' then 'forager_basque'::regconfig when 'ca' then 'forager_catalan'::regconfig
  when 'da' then 'forager_danish'::regconfig when 'nl' then 'forager_dutch'::regconfig
  when 'en' then 'forager_english'::regconfig when 'fi' then 'forager_finnish'::regconfig
  when 'fr' then 'forager_french'::regconfig when 'de' then 'forager_german'::regconfig
  when 'el' then 'forager_greek'::regconfig when 'hi' then 'forager_hindi'::regconfig
  when 'hu' then 'forager_hungarian'::regconfig when 'id' then 'forager_indonesian'::regconfig
  when 'ga' then 'forager_irish'::regconfig when 'it' then 'forager_italian'::regconfig
  when 'lt' then 'forager_lithuanian'::regconfig when 'ne' then 'forager_nepali'::regconfig
  when 'no' then 'forager_norwegian'::regconfig when 'nb' then 'forager_norwegian'::regconfig
  when 'nn' then 'forager_norwegian'::regconfig when 'pt' then 'forager_portuguese'::regconfig
  when 'ro' then 'forager_romanian'::regconfig when 'ru' then 'forager_russian'::regconfig
  when 'sr' then 'forager_serbian'::regconfig when 'es' then 'forager_spanish'::regconfig
  when 'sv' then 'forager_swedish'::regconfig when 'ta' then 'forager_tamil'::regconfig
  when 'tr' then 'forager_turkish'::regconfig when 'yi' then 'forager_yiddish'::regconfig
  else 'forager_simple'::regconfig
end;

-- Chinese, Japanese and Korean are written without spaces between words: each of their characters is a word of its
-- own, and what is searched for is found as a phrase of them.
create function spaced_text(written text) returns text immutable parallel safe
return case
  when written ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]'
  then regexp_replace(written, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])', ' \1 ', 'g')
  else written
end;

-- What is searched, and what is searched for. Words that nobody would look for are left out: one that is long, and
-- becomes longer when its accents are taken off, is more than a tsvector can hold, and PostgreSQL does not look.
create function search_text(written text) returns text immutable parallel safe
return case
  when written ~ '[^[:space:]]{200}' then regexp_replace(spaced_text(written), '[^[:space:]]{200,}', ' ', 'g')
  else spaced_text(written)
end;

-- What suggestions are found by: without accents and case.
create function search_key(written text) returns text immutable parallel safe
return left(lower(unaccent('unaccent'::regdictionary, left(written, 200))), 60);

-- ── Products ────────────────────────────────────────────────────────────────────────────────────────

create function product_names(language text, name text, brand text, category text, codes text)
returns tsvector immutable parallel safe
return setweight(to_tsvector(search_config(language), search_text(left(name, 1000))), 'A')
  || setweight(to_tsvector(search_config(language), search_text(left(brand, 200)) || ' ' || search_text(left(codes, 200))), 'B')
  || setweight(to_tsvector(search_config(language), search_text(left(category, 500))), 'C');

create function product_search(language text, name text, brand text, category text, codes text, description text)
returns tsvector immutable parallel safe
return product_names(language, name, brand, category, codes)
  || setweight(to_tsvector(search_config(language), search_text(left(description, 20000))), 'D');

-- The language of a domain's texts, where somebody has said it: it counts for more than what its pages declare.
alter table domains add column language text check (language ~ '^[a-z]{2,3}$');

-- Domains whose products and pages are to be made searchable anew, in portions, because their language has changed: as
-- far as it is done.
create table search_languages_due (
  domain_id bigint primary key references domains on delete cascade,
  changed_at timestamptz not null,
  after_product bytea not null default '',
  after_page bytea not null default ''
);

create function note_language_change() returns trigger language plpgsql as $$
begin
  insert into search_languages_due (domain_id, changed_at) values (new.id, forager_now())
  on conflict (domain_id) do update set changed_at = excluded.changed_at, after_product = '', after_page = '';
  return null;
end
$$;
create trigger domains_language_changed after update of language on domains
  for each row when (old.language is distinct from new.language) execute function note_language_change();

-- Stored columns are made anew only when a column they depend on is written: a product that was merely seen again
-- costs what it did before. A crawl sees the products of a block again all at once: with room for a second version of
-- each, none has to move, which would cost an entry in every index there is, and the table stays smaller than one whose
-- rows move. Names are apart because
-- they are short: they lie in the row itself, and thousands of them are ranked in the time that a hundred
-- descriptions take, which do not. Whatever is found by its name comes before what is found by its description.
alter table products
  set (fillfactor = 50),
  -- that of the domain; null: that of the page
  add column search_language text,
  add column search_name tsvector not null generated always as (
    product_names(coalesce(search_language, language), coalesce(name, ''), coalesce(brand, ''), coalesce(category, ''),
                  coalesce(sku, '') || ' ' || coalesce(gtin, '') || ' ' || coalesce(mpn, ''))) stored,
  add column search tsvector not null generated always as (
    product_search(coalesce(search_language, language), coalesce(name, ''), coalesce(brand, ''), coalesce(category, ''),
                   coalesce(sku, '') || ' ' || coalesce(gtin, '') || ' ' || coalesce(mpn, ''),
                   coalesce(description, ''))) stored;
alter table products alter column search_name set storage main;
create index products_search_name on products using gin (search_name) with (gin_pending_list_limit = 1024);
-- Every search reads what waits to be sorted in, word by word: it must not be much.
create index products_search on products using gin (search) with (gin_pending_list_limit = 1024);
create index products_name_key on products (search_key(name) text_pattern_ops) where name is not null;
-- Which languages there are at all: a query is made for each of them.
create index products_search_config on products ((search_config(coalesce(search_language, language))::oid));

-- The words of names, brands, categories and titles of pages, as written but without accents: where a word that is searched for is
-- found nowhere, the most similar one of these is meant.
create table search_words (
  word text primary key,
  uses_count integer not null
);
create index search_words_similar on search_words using gin (word gin_trgm_ops);

-- Brands and categories, for suggestions.
create table search_labels (
  kind text not null check (kind in ('brand', 'category')),
  key text not null,
  label text not null,
  products_count integer not null,
  primary key (kind, key)
);
-- The most frequent of those that begin with one, two or three characters; longer beginnings fit few enough.
create index search_labels_1 on search_labels (left(key, 1), products_count desc);
create index search_labels_2 on search_labels (left(key, 2), products_count desc);
create index search_labels_3 on search_labels (left(key, 3), products_count desc);

-- How far words and labels were taken from products.
create table search_marks (
  name text primary key,
  at timestamptz not null,
  id bigint not null
);

-- Loads the module, whose setting the next function names.
select similarity('', '');
create function similar_words(wanted text, most integer) returns table (word text, uses_count integer)
language sql stable set pg_trgm.similarity_threshold = 0.2
as $$
  select w.word, w.uses_count from search_words w
   where w.word % wanted
   order by similarity(w.word, wanted) desc, w.uses_count desc, w.word
   limit most
$$;

-- ── Pages ───────────────────────────────────────────────────────────────────────────────────────────

create table page_texts (
  domain_id bigint not null,
  url_hash bytea not null,
  page_id bigint not null,
  -- that of the domain, else that of the page
  language text,
  title text,
  -- the article, or what the page says of itself where its body was not kept
  text text not null,
  crawled_at timestamptz not null,
  search tsvector not null generated always as (
    setweight(to_tsvector(search_config(language), search_text(left(coalesce(title, ''), 1000))), 'A')
    || setweight(to_tsvector(search_config(language), search_text(left(text, 50000))), 'D')) stored,
  primary key (domain_id, url_hash),
  foreign key (domain_id, url_hash) references pages on update cascade on delete cascade
);
create unique index page_texts_page on page_texts (page_id);
create index page_texts_search on page_texts using gin (search) with (gin_pending_list_limit = 1024);
create index page_texts_crawled on page_texts (crawled_at, page_id);
create index page_texts_search_config on page_texts ((search_config(language)::oid));

-- What of a page can be found: the hash of the text that was taken. Pages that are gone, or ask not to be indexed,
-- must not be found.
alter table pages add column search_hash bytea;
-- Pages whose text is still to be taken, or to be removed: all that the crawl pays for search.
create index pages_search_due on pages (id)
  where (case when is_noindex or gone_at is not null then null else content_hash end) is distinct from search_hash;

-- ── Search servers ──────────────────────────────────────────────────────────────────────────────────

-- The search server that is told of every change; no row: there is none, and nothing is written down for it.
create table search_targets (
  name text primary key,
  registered_at timestamptz not null,
  -- when its indexes were built since then: whatever it had before is older than what was written down for it
  product_built_at timestamptz,
  page_built_at timestamptz,
  -- when it last took something, and why it did not since
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure text
);

-- What it has not been told yet, once for each product and page. Who sends an older version than is there already
-- is refused by the server: two may send at once.
create sequence search_versions;
create table search_outbox (
  kind text not null check (kind in ('product', 'page')),
  key bigint not null,
  version bigint not null default nextval('search_versions'),
  queued_at timestamptz not null,
  attempts_count integer not null default 0,
  due_at timestamptz not null,
  primary key (kind, key)
);
create index search_outbox_due on search_outbox (due_at, version);
create index search_outbox_queued on search_outbox (queued_at);

-- What it will never take, and why.
create table search_rejects (
  kind text not null,
  key bigint not null,
  reason text not null,
  at timestamptz not null,
  primary key (kind, key)
);

-- An index that is being built: changes go to it as well as to the one that is searched.
create table search_reindexes (
  kind text primary key,
  index_name text not null,
  after_id bigint not null default 0,
  started_at timestamptz not null
);

create function note_for_search(noted_kind text, keys bigint[]) returns void language sql as $$
  insert into search_outbox as o (kind, key, queued_at, due_at)
  select noted_kind, k, forager_now(), forager_now() from (select distinct unnest(keys) order by 1) as t (k)
  on conflict (kind, key) do update
     set version = nextval('search_versions'), attempts_count = 0, due_at = excluded.due_at
$$;

create function note_products_for_search() returns trigger language plpgsql as $$
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
$$;

create function note_pages_for_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_for_search('page', (select array_agg(page_id) from old_rows));
  else
    perform note_for_search('page', (select array_agg(page_id) from new_rows));
  end if;
  return null;
end
$$;

create trigger products_inserted_for_search after insert on products referencing new table as new_rows
  for each statement execute function note_products_for_search();
create trigger products_updated_for_search after update on products
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_products_for_search();
create trigger products_deleted_for_search after delete on products referencing old table as old_rows
  for each statement execute function note_products_for_search();
create trigger page_texts_inserted_for_search after insert on page_texts referencing new table as new_rows
  for each statement execute function note_pages_for_search();
create trigger page_texts_updated_for_search after update on page_texts referencing new table as new_rows
  for each statement execute function note_pages_for_search();
create trigger page_texts_deleted_for_search after delete on page_texts referencing old table as old_rows
  for each statement execute function note_pages_for_search();

-- They are switched on with the first search server: without one, nothing is collected for them.
alter table products disable trigger products_inserted_for_search;
alter table products disable trigger products_updated_for_search;
alter table products disable trigger products_deleted_for_search;
alter table page_texts disable trigger page_texts_inserted_for_search;
alter table page_texts disable trigger page_texts_updated_for_search;
alter table page_texts disable trigger page_texts_deleted_for_search;
