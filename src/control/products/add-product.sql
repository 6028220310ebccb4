-- A product that was not known, with the first point of its history. Answers nothing where it has become known
-- meanwhile: whoever is about to add it too is waited for.
-- Relies on: the unique index of products.
with added as (
  insert into products (domain_id, url, url_hash, name, price, currency, availability, data, content_hash, source,
                        task_id, first_seen_at, last_seen_at, updated_at)
  values ($1, $2, $3, $4, $5::numeric, $6, $7, $8::jsonb, $9, $10, $11, least($12::timestamptz, forager_now()),
          least($12::timestamptz, forager_now()), forager_now())
  on conflict (domain_id, url_hash) do nothing
  returning *
), first_point as (
  insert into price_points (product_id, at, price, currency, availability, source, task_id)
  select a.id, a.first_seen_at, a.price, a.currency, a.availability, a.source, a.task_id from added a
)
select id from added
