-- Which of the contents $1 are those of images.
-- Relies on: the unique index of images.
select i.content_hash as hash from images i where i.content_hash = any($1::bytea[])
