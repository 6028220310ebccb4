-- Products as our own parsers find them, how well those parsers do, and images.

-- ── Products ────────────────────────────────────────────────────────────────────────────────────────

alter table products
  add column description text,
  -- price is what it costs, or the lowest of a range; price_high the upper end where there is a range
  add column price_high numeric(20, 6) check (price_high >= 0),
  -- what it cost before, or is said to be worth
  add column list_price numeric(20, 6) check (list_price >= 0),
  -- out of five, however the site counts
  add column rating numeric(3, 2) check (rating between 0 and 5),
  add column review_count integer check (review_count >= 0),
  add column brand text,
  -- from the general to the special; category is the same on one line, for those who filter by it
  add column category_path text[] not null default '{}',
  add column category text,
  add column sku text,
  add column gtin text,
  add column mpn text,
  -- absolute, the main one first
  add column image_urls text[] not null default '{}',
  add column variants jsonb not null default '[]',
  -- for each field that was found: where, how sure that is, and the text it was read from
  add column fields jsonb not null default '{}',
  add column language text,
  add column parser_name text,
  add column parser_version text,
  -- valid: what a product needs is there and plausible; partial: something that is needed is not
  add column verdict text check (verdict in ('valid', 'partial')),
  add column problems jsonb not null default '[]',
  -- its page was read, and there was no product on it any more
  add column missing_since timestamptz,
  drop constraint products_availability_check,
  add constraint products_availability_check check (availability in
    ('in_stock', 'limited', 'preorder', 'backorder', 'in_store_only', 'out_of_stock', 'discontinued'));

create index products_brand on products (lower(brand), id) where brand is not null;
-- in the order of bytes: one of a category and of all below it
create index products_category on products (lower(category) text_pattern_ops, id) where category is not null;
create index products_price on products (price, id) where price is not null;
create index products_rating on products (rating, id) where rating is not null;
create index products_missing on products (id) where missing_since is not null;

-- What has changed, as it is told to webhooks and to whoever watches. Kept for a while, not forever.
create table product_events (
  id bigint generated always as identity primary key,
  product_id bigint not null references products on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  at timestamptz not null,
  -- by the name of each field that has changed: what it was, and what it is
  changes jsonb not null,
  source text not null,
  task_id bigint
);
create index product_events_product on product_events (product_id, id);
create index product_events_domain on product_events (domain_id, at, id);
create index product_events_at on product_events (at, id);

-- ── How well parsers do ─────────────────────────────────────────────────────────────────────────────

-- By the hour. pages: all that were read; valid, partial and invalid: those with a product on them; lost: those that
-- had one before, and have none. The rate of success is valid out of valid, partial, invalid and lost.
create table parse_hours (
  domain_id bigint not null references domains on delete cascade,
  parser_name text not null,
  parser_version text not null,
  hour timestamptz not null,
  pages_count integer not null default 0,
  valid_count integer not null default 0,
  partial_count integer not null default 0,
  invalid_count integer not null default 0,
  lost_count integer not null default 0,
  -- the parser itself has failed: a defect in it
  failed_count integer not null default 0,
  primary key (domain_id, parser_name, parser_version, hour)
);
create index parse_hours_hour on parse_hours (hour);

-- ── Images ──────────────────────────────────────────────────────────────────────────────────────────

-- Which images of a domain's pages are fetched: none, those of products, all; null: as the program is set.
alter table domains
  add column images_mode text check (images_mode in ('off', 'products', 'all'));

-- An image is a URL of the frontier like any other, and passes the same gate: only what is made of it is not a page.
alter table urls add column is_image boolean not null default false;
create index urls_images on urls (domain_id, discovered_at) where is_image and state = 'never_crawled' and retry_at is null;

-- One for each distinct content. The bytes lie in the blob store, under their hash.
create table images (
  id bigint generated always as identity primary key,
  content_hash bytea not null unique,
  content_type text not null,
  byte_count integer not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- null: it could not be made, or the image is as small as that
  thumbnail_type text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null
);

-- What was found where an image was said to be. No row: it was not fetched yet.
create table image_urls (
  -- the domain the image is served from
  domain_id bigint not null references domains on delete cascade,
  url_hash bytea not null,
  url text not null,
  image_id bigint references images on delete set null,
  -- why it was not kept: not an image, too large, too many pixels, …; null: it was
  refused_code text,
  refused_reason text,
  fetched_at timestamptz not null,
  primary key (domain_id, url_hash)
);
create index image_urls_image on image_urls (image_id) where image_id is not null;
create index image_urls_hash on image_urls (url_hash);
create index image_urls_refused on image_urls (fetched_at, domain_id, url_hash) where refused_code is not null;

-- Where an image was seen: on which page, of which product, at which place.
create table image_provenance (
  page_domain_id bigint not null references domains on delete cascade,
  page_url_hash bytea not null,
  image_url_hash bytea not null,
  -- the domain of the image, by name: there may be no row of it yet
  image_domain text not null,
  image_url text not null,
  product_id bigint references products on delete set null,
  -- from 0, in the order of the page; of a product's images, in theirs
  position integer not null,
  alt text,
  -- primary and gallery are a product's, page any other
  kind text not null check (kind in ('primary', 'gallery', 'page')),
  discovery_type text not null check (discovery_type in ('discovery', 'refresh')),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- one of a domain's places for each of its images that is stored: it is counted in images_stored
  is_counted boolean not null default false,
  primary key (page_domain_id, page_url_hash, image_url_hash)
);
create index image_provenance_image on image_provenance (image_url_hash, page_domain_id);
create index image_provenance_counted on image_provenance (page_domain_id, image_url_hash) where is_counted;
create index image_provenance_product on image_provenance (product_id) where product_id is not null;
