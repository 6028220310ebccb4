-- Products were seen, and are as they were. What no parser has noted stays as it was.
-- Relies on: the primary key of products. They are locked already.
update products p
   set last_seen_at = greatest(p.last_seen_at, least(v.seen_at, forager_now())), source = v.source,
       task_id = v.task_id, missing_since = null, parser_name = coalesce(v.parser_name, p.parser_name),
       parser_version = coalesce(v.parser_version, p.parser_version), verdict = coalesce(v.verdict, p.verdict),
       problems = coalesce(v.problems, p.problems), fields = coalesce(v.fields, p.fields)
  from jsonb_to_recordset($1::jsonb) as v
       (id bigint, source text, task_id bigint, seen_at timestamptz, parser_name text, parser_version text,
        verdict text, problems jsonb, fields jsonb)
 where p.id = v.id
