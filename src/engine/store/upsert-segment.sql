-- The id of the segment named $1.
-- Relies on: the unique index on name.
with added as (insert into warc_segments (name) values ($1) on conflict (name) do nothing returning id)
select id from added union all select id from warc_segments where name = $1 limit 1
