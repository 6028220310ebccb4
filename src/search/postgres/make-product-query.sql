-- What to search products for, in every language there is among them: $1 is wanted, $2 is not (null: everything is),
-- both as websearch_to_tsquery reads them. Null: nothing but words that are in every text.
-- Relies on: products_search_config.
with recursive configs (config) as (
  (select search_config(coalesce(search_language, language))::oid from products order by search_config(coalesce(search_language, language))::oid limit 1)
  union all
  select (select search_config(coalesce(p.search_language, p.language))::oid from products p
           where search_config(coalesce(p.search_language, p.language))::oid > c.config
           order by search_config(coalesce(p.search_language, p.language))::oid limit 1)
    from configs c where c.config is not null
), queries as (
  select websearch_to_tsquery(config::regconfig, search_text($1::text))::text as wanted,
         websearch_to_tsquery(config::regconfig, search_text($2::text))::text as unwanted
    from configs where config is not null
)
select string_agg(distinct '(' || wanted || ')', ' | ') filter (where wanted <> '') as wanted,
       string_agg(distinct '(' || unwanted || ')', ' | ') filter (where unwanted <> '') as unwanted
  from queries
