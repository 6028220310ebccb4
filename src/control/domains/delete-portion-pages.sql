-- Removes up to $2 pages of domain $1.
-- Relies on: the primary key of pages.
delete from pages
 where domain_id = $1 and url_hash in (select url_hash from pages where domain_id = $1 limit $2)
