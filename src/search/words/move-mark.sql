-- Words were taken up to the time $1 and the number $2.
-- Relies on: the primary key of search_marks.
update search_marks set at = $1::timestamptz, id = $2 where name = 'words'
