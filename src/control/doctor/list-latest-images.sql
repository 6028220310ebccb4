-- The latest $1 images, by number.
-- Relies on: the primary key of images.
select i.content_hash as hash from images i order by i.id desc limit $1
