-- Domain $1 is done up to the product $2 and the page $3.
-- Relies on: the primary key of search_languages_due.
update search_languages_due set after_product = $2, after_page = $3 where domain_id = $1
