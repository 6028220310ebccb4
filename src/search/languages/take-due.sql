-- A domain whose language changed before $1, for whoever is first.
-- Relies on: nothing; there are few.
select s.domain_id as "domainId", d.language, s.after_product as "afterProduct", s.after_page as "afterPage"
  from search_languages_due s join domains d on d.id = s.domain_id
 where s.changed_at <= $1
 order by s.changed_at
 limit 1
   for update of s skip locked
