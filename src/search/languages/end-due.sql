-- Domain $1 is done.
-- Relies on: the primary key of search_languages_due.
delete from search_languages_due where domain_id = $1
