-- Of the pages $2 what stands around that what the query $1 found, which is between the characters $3 and $4.
-- Relies on: page_texts_page.
select p.page_id as id,
       ts_headline(search_config(p.language), search_text(translate(left(p.text, 10000), $3 || $4, '')),
                   $1::tsquery, 'MinWords=15, MaxWords=35, StartSel=' || $3 || ', StopSel=' || $4) as snippet
  from page_texts p
 where p.page_id = any($2::bigint[])
