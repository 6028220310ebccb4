drop trigger products_inserted_for_search on products;
drop trigger products_updated_for_search on products;
drop trigger products_deleted_for_search on products;
drop table search_reindexes;
drop table search_rejects;
drop table search_outbox;
drop sequence search_versions;
drop table search_targets;
drop index pages_search_due;
alter table pages drop column search_hash;
drop table page_texts;
drop function note_pages_for_search();
drop function note_products_for_search();
drop function note_for_search(text, bigint[]);
drop function similar_words(text, integer);
drop table search_marks;
drop table search_labels;
drop table search_words;
drop index products_search_config;
drop index products_name_key;
alter table products drop column search, drop column search_name, drop column search_language, reset (fillfactor);
drop trigger domains_language_changed on domains;
drop function note_language_change();
drop table search_languages_due;
alter table domains drop column language;
drop function product_search(text, text, text, text, text, text);
drop function product_names(text, text, text, text, text);
drop function search_key(text);
drop function search_text(text);
drop function spaced_text(text);
drop function search_config(text);

do $$
declare
  config text;
begin
  for config in
    select cfgname from pg_ts_config where cfgname like 'forager\_%' and cfgnamespace = 'public'::regnamespace
  loop
    execute format('drop text search configuration %I', config);
  end loop;
  -- Somebody else may need them, or have made them.
  begin
    drop extension if exists unaccent;
    drop extension if exists pg_trgm;
  exception when dependent_objects_still_exist or insufficient_privilege then
    raise notice 'the extensions pg_trgm and unaccent stay';
  end;
end
$$;
