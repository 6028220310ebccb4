-- How far words were taken, for whoever goes on; nobody else meanwhile. Relies on the row being there.
-- Relies on: the primary key of search_marks.
select m.at::text as at, m.id from search_marks m where m.name = 'words' for update skip locked
