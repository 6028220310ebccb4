-- Words that look like $1, at most $2, the most similar first.
-- Relies on: search_words_similar.
select s.word, s.uses_count as "usesCount" from similar_words(lower(unaccent($1)), $2) as s
