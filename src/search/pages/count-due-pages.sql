-- How many pages wait for their text to be taken.
-- Relies on: pages_search_due.
select count(*)::int as count
  from pages p
 where (case when p.is_noindex or p.gone_at is not null then null else p.content_hash end) is distinct from p.search_hash
