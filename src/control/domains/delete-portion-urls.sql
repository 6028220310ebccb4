-- Removes up to $2 URLs of domain $1, and tells them: each with whether its shape was counted when it was found.
-- Relies on: the primary key of urls (one partition, one domain).
delete from urls
 where domain_id = $1 and url_hash in (select url_hash from urls where domain_id = $1 limit $2)
returning url, not is_seed and redirect_count = 0 and not is_image as "isCounted", is_image as "isImage"
