-- What to search pages for, in every language there is among them: $1 is wanted, $2 is not (null: everything is),
-- both as websearch_to_tsquery reads them. Null: nothing but words that are in every text.
-- Relies on: page_texts_search_config.
with recursive configs (config) as (
  (select search_config(language)::oid from page_texts order by search_config(language)::oid limit 1)
  union all
  select (select search_config(p.language)::oid from page_texts p
           where search_config(p.language)::oid > c.config
           order by search_config(p.language)::oid limit 1)
    from configs c where c.config is not null
), queries as (
  select websearch_to_tsquery(config::regconfig, search_text($1::text))::text as wanted,
         websearch_to_tsquery(config::regconfig, search_text($2::text))::text as unwanted
    from configs where config is not null
)
select string_agg(distinct '(' || wanted || ')', ' | ') filter (where wanted <> '') as wanted,
       string_agg(distinct '(' || unwanted || ')', ' | ') filter (where unwanted <> '') as unwanted
  from queries
