-- Words are taken from the beginning, unless somebody has begun.
-- Relies on: the primary key of search_marks.
insert into search_marks (name, at, id) values ('words', '-infinity', 0) on conflict do nothing
