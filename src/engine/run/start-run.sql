-- A new run, unless another process has started the same one this very moment.
-- Relies on: crawl_runs_one_unfinished.
insert into crawl_runs (crawl_key, settings, max_pages, max_pages_per_domain)
values ($1, $2, $3, $4)
on conflict (crawl_key) where finished_at is null do nothing
returning id, pages_count
