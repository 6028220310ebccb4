-- The result of task $1 under lock $4: it takes the place of one under an earlier lock, never of one under a later.
-- Answers nothing where it does not.
-- Relies on: the unique index of crawl_results.
insert into crawl_results as r (task_id, domain_id, bot_id, lock_token, price, currency, title, in_stock, parsed_data,
                                has_html, crawled_at, created_at)
values ($1, $2, $3, $4::bigint, $5::numeric, $6, $7, $8, $9::jsonb, $10, least($11::timestamptz, forager_now()),
        forager_now())
on conflict (task_id) do update
  set domain_id = excluded.domain_id, bot_id = excluded.bot_id, lock_token = excluded.lock_token,
      price = excluded.price, currency = excluded.currency, title = excluded.title, in_stock = excluded.in_stock,
      parsed_data = excluded.parsed_data, has_html = excluded.has_html, crawled_at = excluded.crawled_at,
      created_at = excluded.created_at
  where r.lock_token < excluded.lock_token
returning r.id
