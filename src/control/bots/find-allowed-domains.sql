-- Domains of the registrable domains $1 that are named in $2, or lie below one that is.
-- Relies on: domains_parent.
select d.id
  from domains d
 where d.parent_domain = any($1::text[])
   and exists (select from unnest($2::text[]) as a (name)
                where d.domain = a.name or right(d.domain, length(a.name) + 1) = '.' || a.name)
