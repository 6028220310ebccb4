-- Brands and categories that begin with $1 (without accents and case), the most frequent first, at most $2. Of those
-- that share the first three characters, the 2,000 most frequent are looked at.
-- Relies on: search_labels_1, search_labels_2, search_labels_3.
select l.kind, l.label as text, l.products_count as count
  from (select * from search_labels
         where case length($1::text) when 1 then left(key, 1) = left($1, 1) when 2 then left(key, 2) = left($1, 2)
               else left(key, 3) = left($1, 3) end
         order by products_count desc
         limit 2000) as l
 where starts_with(l.key, $1)
 order by l.products_count desc, l.key, l.kind
 limit $2
