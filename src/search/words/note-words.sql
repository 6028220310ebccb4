-- Takes the words of names, brands and categories, and the brands and categories themselves, from products that have
-- changed after $1 and the number $2, at most $3, up to the time $4. Words of a product that changes again are counted
-- again: the counts tell the frequent from the rare, not more.
-- Relies on: products_updated, the primary keys of search_words and search_labels.
with taken as materialized (
  select p.id, p.updated_at, p.name, p.brand, p.category
    from products p
   where (p.updated_at, p.id) > ($1::timestamptz, $2::bigint) and p.updated_at <= $4::timestamptz
   order by p.updated_at, p.id
   limit $3
), words as (
  select w.word, count(distinct t.id)::int as uses
    from taken t,
         unnest(tsvector_to_array(to_tsvector('forager_simple',
           search_text(left(coalesce(t.name, '') || ' ' || coalesce(t.brand, '') || ' ' || coalesce(t.category, ''), 2000))))) as w (word)
   where length(w.word) between 3 and 40 and w.word ~ '^[[:alpha:]][[:alnum:]]*$'
   group by w.word
   order by w.word
), noted_words as (
  insert into search_words as s (word, uses_count) select word, uses from words
  on conflict (word) do update set uses_count = least(s.uses_count::bigint + excluded.uses_count, 2000000000)
), labels as (
  select l.kind, search_key(l.label) as key, min(l.label) as label, count(*)::int as products
    from taken t, lateral (values ('brand', t.brand), ('category', t.category)) as l (kind, label)
   where l.label is not null and l.label <> ''
   group by l.kind, search_key(l.label)
   order by l.kind, search_key(l.label)
), noted_labels as (
  insert into search_labels as s (kind, key, label, products_count) select kind, key, left(label, 200), products from labels
  on conflict (kind, key) do update
     set products_count = least(s.products_count::bigint + excluded.products_count, 2000000000)
)
select t.id, t.updated_at::text as at, (select count(*)::int from taken) as count
  from taken t order by t.updated_at desc, t.id desc limit 1
