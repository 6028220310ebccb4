-- Which of the contents $1 are those of images.
-- Relies on: the unique index on content_hash.
select i.content_hash as hash from images i where i.content_hash = any($1::bytea[])
