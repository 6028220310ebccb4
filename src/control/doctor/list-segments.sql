-- Every segment that rows name.
-- Relies on: nothing: reads the whole table, a row per gigabyte.
select name from warc_segments order by name
