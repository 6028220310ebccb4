-- Pages that were read at $3 have no product on them any more: which of those given had one that a parser had found, and
-- for which that is news. Whoever wants to be told of changes is told.
-- Relies on: the unique index of products. Their domains are locked already.
with lost as (
  update products p
     set missing_since = coalesce(p.missing_since, least(v.seen_at, forager_now()))
    from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) with ordinality
         as v (domain_id, url_hash, seen_at, ordinal)
    join products o on o.domain_id = v.domain_id and o.url_hash = v.url_hash
   where p.id = o.id and o.parser_name is not null and o.last_seen_at <= least(v.seen_at, forager_now())
  returning p.*, v.ordinal, o.missing_since is null as is_news
), events as (
  insert into product_events (product_id, domain_id, at, changes, source, task_id)
  select l.id, l.domain_id, forager_now(), '{"isMissing": [false, true]}', l.source, l.task_id
    from lost l where l.is_news order by l.id
)
select l.ordinal::int as ordinal, l.is_news as "isNews",
       case when l.is_news then (select true from tell_webhooks('product.changed', forager_now(), jsonb_build_object(
          'productId', l.id, 'url', l.url, 'domain', (select d.domain from domains d where d.id = l.domain_id),
          'name', l.name, 'price', trim_scale(l.price)::text, 'currency', l.currency, 'availability', l.availability,
          'before', jsonb_build_object('name', l.name, 'price', trim_scale(l.price)::text, 'currency', l.currency,
                                       'availability', l.availability),
          'changes', '{"isMissing": [false, true]}'::jsonb, 'source', l.source, 'taskId', l.task_id,
          'seenAt', to_jsonb(l.last_seen_at)))) end as told
  from lost l
