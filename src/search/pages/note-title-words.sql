-- Counts the words of the titles $1.
-- Relies on: the primary key of search_words.
insert into search_words as s (word, uses_count)
select w.word, count(*)::int
  from unnest($1::text[]) as t (title), unnest(tsvector_to_array(to_tsvector('forager_simple', search_text(left(t.title, 500))))) as w (word)
 where length(w.word) between 3 and 40 and w.word ~ '^[[:alpha:]][[:alnum:]]*$'
 group by w.word
 order by w.word
on conflict (word) do update set uses_count = least(s.uses_count::bigint + excluded.uses_count, 2000000000)
