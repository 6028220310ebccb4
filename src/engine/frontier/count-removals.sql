-- How often URLs were removed so far.
-- Relies on: nothing: the table has one row.
select times_count as times from url_removals
