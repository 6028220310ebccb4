-- Removes up to $2 each of what domain $1 has had: changes of products, figures of parsers, places of images on its
-- pages, and what was found where images were said to be. Answers how many of all went: fewer than $2 when there are no
-- more.
-- Relies on: product_events_domain, the primary keys of parse_hours, image_provenance and image_urls.
with changes as (
  delete from product_events
   where ctid = any(array(select ctid from product_events where domain_id = $1 limit $2)) returning 1
), hours as (
  delete from parse_hours
   where ctid = any(array(select ctid from parse_hours where domain_id = $1 limit $2)) returning 1
), places as (
  delete from image_provenance
   where ctid = any(array(select ctid from image_provenance where page_domain_id = $1 limit $2)) returning 1
), finds as (
  delete from image_urls
   where ctid = any(array(select ctid from image_urls where domain_id = $1 limit $2)) returning 1
)
select ((select count(*) from changes) + (select count(*) from hours) + (select count(*) from places)
        + (select count(*) from finds))::int as count
