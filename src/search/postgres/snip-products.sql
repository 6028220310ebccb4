-- Names and descriptions of the products $2 with what the query $1 found between the characters $3 and $4.
-- Relies on: the primary key of products.
select p.id,
       ts_headline(search_config(p.language), search_text(translate(left(p.name, 1000), $3 || $4, '')), $1::tsquery,
                   'HighlightAll=true, StartSel=' || $3 || ', StopSel=' || $4) as name,
       ts_headline(search_config(p.language), search_text(translate(left(p.description, 5000), $3 || $4, '')),
                   $1::tsquery, 'MinWords=15, MaxWords=30, StartSel=' || $3 || ', StopSel=' || $4) as description
  from products p
 where p.id = any($2::bigint[])
